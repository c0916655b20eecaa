/// Values by key, in order of use: every operation takes the same time, however many there are.
///
/// Knows no lock, clock or limit; `MemoryCache` decides what goes. What a use needs lies together, and
/// apart from what else is known: with many entries, time goes by the lines of memory touched.
struct LRUList<Key: Hashable, Value> {
  /// One value with what is known of it.
  struct Node {
    let key: Key
    let value: Value
    let cost: Int
    let storedAt: ContinuousClock.Instant?
  }

  /// The neighbours: `previous` was used later, `next` earlier; -1 at the ends.
  private struct Slot {
    var key: Key?
    var value: Value?
    var previous: Int32 = -1
    var next: Int32 = -1
  }

  private struct Record {
    var cost: Int
    var storedAt: ContinuousClock.Instant?
  }

  /// Sum of the costs.
  private(set) var cost = 0
  /// Number of values.
  var count: Int { index.count }

  private var index = SlotIndex()
  private var slots: ContiguousArray<Slot> = []
  private var records: ContiguousArray<Record> = []
  private var free: [Int] = []
  private var first = -1
  private var last = -1

  /// Where `key` is, now the latest used; ask `value` and `storedAt` with it at once.
  mutating func use(_ key: Key) -> Int? {
    guard let slot = peek(key) else { return nil }
    if slot != first {
      unlink(slot)
      linkInFront(slot)
    }
    return slot
  }

  /// Where `key` is, its place unchanged.
  func peek(_ key: Key) -> Int? { find(key, Self.hash(key)) }

  /// The value at a place that `use` or `peek` gave.
  func value(at slot: Int) -> Value? { slots[slot].value }

  /// When the value at a place was stored, if that was said.
  func storedAt(_ slot: Int) -> ContinuousClock.Instant? { records[slot].storedAt }

  /// Puts a value in front; gives back the value it takes the place of.
  mutating func insert(
    _ value: Value, cost: Int, storedAt: ContinuousClock.Instant?, for key: Key
  ) -> Value? {
    let hash = Self.hash(key)
    let former = remove(key, hash)
    let slot: Int
    let record = Record(cost: cost, storedAt: storedAt)
    if let reused = free.popLast() {
      slot = reused
      slots[slot] = Slot(key: key, value: value)
      records[slot] = record
    } else {
      slot = slots.count
      slots.append(Slot(key: key, value: value))
      records.append(record)
    }
    index.insert(slot, hash)
    self.cost += cost
    linkInFront(slot)
    return former?.value
  }

  /// Takes out the value of `key`.
  mutating func remove(_ key: Key) -> Node? { remove(key, Self.hash(key)) }

  /// Takes out the value that was not used for longest.
  mutating func removeLeastRecentlyUsed() -> Node? {
    guard last >= 0, let key = slots[last].key else { return nil }
    return take(last, key, Self.hash(key))
  }

  /// The keys, latest used first; takes time with their number.
  var keys: [Key] {
    var keys: [Key] = []
    var slot = first
    while slot >= 0, let key = slots[slot].key {
      keys.append(key)
      slot = Int(slots[slot].next)
    }
    return keys
  }

  private static func hash(_ key: Key) -> UInt32 { UInt32(truncatingIfNeeded: key.hashValue) }

  private func find(_ key: Key, _ hash: UInt32) -> Int? {
    index.find(hash) { slots[$0].key == key }
  }

  private mutating func remove(_ key: Key, _ hash: UInt32) -> Node? {
    guard let slot = find(key, hash) else { return nil }
    return take(slot, key, hash)
  }

  private mutating func take(_ slot: Int, _ key: Key, _ hash: UInt32) -> Node? {
    index.remove(slot, hash)
    unlink(slot)
    free.append(slot)
    guard let value = slots[slot].value else { return nil }
    let record = records[slot]
    slots[slot] = Slot(key: nil, value: nil)
    cost -= record.cost
    return Node(key: key, value: value, cost: record.cost, storedAt: record.storedAt)
  }

  private mutating func unlink(_ slot: Int) {
    let (previous, next) = (Int(slots[slot].previous), Int(slots[slot].next))
    if previous < 0 { first = next } else { slots[previous].next = Int32(next) }
    if next < 0 { last = previous } else { slots[next].previous = Int32(previous) }
  }

  private mutating func linkInFront(_ slot: Int) {
    slots[slot].previous = -1
    slots[slot].next = Int32(first)
    if first < 0 { last = slot } else { slots[first].previous = Int32(slot) }
    first = slot
  }
}
