/// Values by key, in order of use: every operation takes the same time, however many there are.
///
/// Knows no lock, clock or limit; `MemoryCache` decides what goes.
struct LRUList<Key: Hashable, Value> {
  /// One value with what is known of it. `previous` was used later, `next` earlier.
  struct Node {
    let key: Key
    var value: Value
    var cost: Int
    var storedAt: ContinuousClock.Instant?
    fileprivate var previous = LRUList.none
    fileprivate var next = LRUList.none
  }

  private static var none: Int { -1 }

  /// Sum of the costs.
  private(set) var cost = 0
  /// Number of values.
  var count: Int { index.count }

  private var index: [Key: Int] = [:]
  private var nodes: [Node?] = []
  private var free: [Int] = []
  private var first = LRUList.none
  private var last = LRUList.none

  /// The node of `key`, now the latest used.
  mutating func use(_ key: Key) -> Node? {
    guard let slot = index[key] else { return nil }
    moveToFront(slot)
    return nodes[slot]
  }

  /// The node of `key`, its place unchanged.
  func peek(_ key: Key) -> Node? { index[key].flatMap { nodes[$0] } }

  /// Puts a value in front; gives back the value it takes the place of.
  mutating func insert(
    _ value: Value, cost: Int, storedAt: ContinuousClock.Instant?, for key: Key
  ) -> Value? {
    let former = remove(key)
    let slot: Int
    let node = Node(key: key, value: value, cost: cost, storedAt: storedAt)
    if let reused = free.popLast() {
      slot = reused
      nodes[slot] = node
    } else {
      slot = nodes.count
      nodes.append(node)
    }
    index[key] = slot
    self.cost += cost
    linkInFront(slot)
    return former?.value
  }

  /// Takes out the value of `key`.
  mutating func remove(_ key: Key) -> Node? {
    guard let slot = index.removeValue(forKey: key) else { return nil }
    return take(slot)
  }

  /// Takes out the value that was not used for longest.
  mutating func removeLeastRecentlyUsed() -> Node? {
    guard last != LRUList.none, let node = nodes[last] else { return nil }
    return remove(node.key)
  }

  /// The keys, latest used first; takes time with their number.
  var keys: [Key] {
    var keys: [Key] = []
    var slot = first
    while slot != LRUList.none, let node = nodes[slot] {
      keys.append(node.key)
      slot = node.next
    }
    return keys
  }

  private mutating func take(_ slot: Int) -> Node? {
    unlink(slot)
    let node = nodes[slot]
    nodes[slot] = nil
    free.append(slot)
    cost -= node?.cost ?? 0
    return node
  }

  private mutating func moveToFront(_ slot: Int) {
    guard slot != first else { return }
    unlink(slot)
    linkInFront(slot)
  }

  private mutating func unlink(_ slot: Int) {
    guard let node = nodes[slot] else { return }
    if node.previous == LRUList.none {
      first = node.next
    } else {
      nodes[node.previous]?.next = node.next
    }
    if node.next == LRUList.none {
      last = node.previous
    } else {
      nodes[node.next]?.previous = node.previous
    }
  }

  private mutating func linkInFront(_ slot: Int) {
    nodes[slot]?.previous = LRUList.none
    nodes[slot]?.next = first
    if first == LRUList.none {
      last = slot
    } else {
      nodes[first]?.previous = slot
    }
    first = slot
  }
}
