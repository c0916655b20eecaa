/// Values by key, in order of use: every operation takes the same time, however many there are.
///
/// Knows no lock, clock or limit; `MemoryCache` decides what goes. Order, values and what is known of
/// them are kept apart, so that a use moves plain numbers and copies its value, nothing else.
struct LRUList<Key: Hashable, Value> {
  /// One value with what is known of it.
  struct Node {
    let key: Key
    let value: Value
    let cost: Int
    let storedAt: ContinuousClock.Instant?
  }

  private struct Record {
    let key: Key
    let cost: Int
    let storedAt: ContinuousClock.Instant?
  }

  /// The neighbours of a slot: `previous` was used later, `next` earlier; -1 at the ends.
  private struct Link {
    var previous = -1
    var next = -1
  }

  /// Sum of the costs.
  private(set) var cost = 0
  /// Number of values.
  var count: Int { index.count }

  private var index: [Key: Int] = [:]
  private var values: ContiguousArray<Value?> = []
  private var records: ContiguousArray<Record?> = []
  private var links: ContiguousArray<Link> = []
  private var free: [Int] = []
  private var first = -1
  private var last = -1

  /// Where `key` is, now the latest used; ask `value` and `storedAt` with it at once.
  mutating func use(_ key: Key) -> Int? {
    guard let slot = index[key] else { return nil }
    if slot != first {
      unlink(slot)
      linkInFront(slot)
    }
    return slot
  }

  /// Where `key` is, its place unchanged.
  func peek(_ key: Key) -> Int? { index[key] }

  /// The value at a place that `use` or `peek` gave.
  func value(at slot: Int) -> Value? { values[slot] }

  /// When the value at a place was stored, if that was said.
  func storedAt(_ slot: Int) -> ContinuousClock.Instant? { records[slot]?.storedAt }

  /// Puts a value in front; gives back the value it takes the place of.
  mutating func insert(
    _ value: Value, cost: Int, storedAt: ContinuousClock.Instant?, for key: Key
  ) -> Value? {
    let former = remove(key)
    let slot: Int
    let record = Record(key: key, cost: cost, storedAt: storedAt)
    if let reused = free.popLast() {
      slot = reused
      values[slot] = value
      records[slot] = record
    } else {
      slot = values.count
      values.append(value)
      records.append(record)
      links.append(Link())
    }
    index[key] = slot
    self.cost += cost
    linkInFront(slot)
    return former?.value
  }

  /// Takes out the value of `key`.
  mutating func remove(_ key: Key) -> Node? {
    guard let slot = index.removeValue(forKey: key) else { return nil }
    unlink(slot)
    free.append(slot)
    guard let record = records[slot], let value = values[slot] else { return nil }
    records[slot] = nil
    values[slot] = nil
    cost -= record.cost
    return Node(key: record.key, value: value, cost: record.cost, storedAt: record.storedAt)
  }

  /// Takes out the value that was not used for longest.
  mutating func removeLeastRecentlyUsed() -> Node? {
    guard last >= 0, let key = records[last]?.key else { return nil }
    return remove(key)
  }

  /// The keys, latest used first; takes time with their number.
  var keys: [Key] {
    var keys: [Key] = []
    var slot = first
    while slot >= 0, let key = records[slot]?.key {
      keys.append(key)
      slot = links[slot].next
    }
    return keys
  }

  private mutating func unlink(_ slot: Int) {
    let link = links[slot]
    if link.previous < 0 { first = link.next } else { links[link.previous].next = link.next }
    if link.next < 0 { last = link.previous } else { links[link.next].previous = link.previous }
  }

  private mutating func linkInFront(_ slot: Int) {
    links[slot] = Link(previous: -1, next: first)
    if first < 0 { last = slot } else { links[first].previous = slot }
    first = slot
  }
}
