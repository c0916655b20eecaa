import Synchronization

/// Values in memory, by key: the least recently used go first when a limit is passed.
///
/// Every call answers at once, on the caller's thread, in a time that does not depend on the number
/// of entries. Safe from any thread. Values that are dropped are released after the lock is.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// What the cache may hold.
  public struct Limits: Sendable, Hashable {
    /// Sum of costs, in the unit callers give costs in: bytes for images.
    public var cost: Int
    /// Number of entries.
    public var count: Int
    /// The largest part of `cost` that one entry may have; dearer values are not kept. A tenth
    /// unless told otherwise.
    public var largestEntry = 0.1
    /// Time after storing from which an entry is a miss; `nil` sets no limit.
    public var age: Duration?

    /// Sets limits; negative ones count as 0, which keeps nothing. Costs stop at a quarter of `Int`.
    public init(cost: Int, count: Int = .max, age: Duration? = nil) {
      self.cost = min(max(0, cost), .max / 4)
      self.count = max(0, count)
      self.age = age
    }
  }

  /// What the cache holds and how it has answered since it was made.
  public struct Statistics: Sendable, Hashable {
    /// Sum of costs held.
    public internal(set) var cost = 0
    /// Number of entries held.
    public internal(set) var count = 0
    /// Look-ups answered, those of the weak level among them.
    public internal(set) var hits = 0
    /// Look-ups not answered.
    public internal(set) var misses = 0
    /// Hits on values that had been dropped and were found because somebody else still held them.
    public internal(set) var weakHits = 0
    /// Entries dropped to keep to a limit.
    public internal(set) var evictions = 0
  }

  private struct State {
    var list = LRUList<Key, Value>()
    var weak = WeakLevel<Key, Value>()
    var limits: Limits
    var statistics = Statistics()
  }

  private let state: Mutex<State>
  private let weakly: (@Sendable (Value) -> WeakReference<Value>?)?
  private let now: @Sendable () -> ContinuousClock.Instant

  /// Makes an empty cache.
  ///
  /// - Parameters:
  ///   - limits: What it may hold.
  ///   - weakly: Makes a reference that finds a dropped value as long as somebody holds it; called
  ///     under a lock when a limit drops the value. Without it, dropped values are gone.
  ///   - now: The clock by which entries age.
  public init(
    limits: Limits, weakly: (@Sendable (Value) -> WeakReference<Value>?)? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    state = Mutex(State(limits: limits))
    self.weakly = weakly
    self.now = now
  }

  /// The value of `key`, now the latest used; `nil` on a miss.
  public func value(for key: Key) -> Value? {
    var dropped: Value?
    let value = state.withLock { state -> Value? in
      if let slot = state.list.use(key) {
        if isExpired(state.list, slot, state.limits) {
          dropped = state.list.remove(key)?.value
          state.statistics.misses += 1
          return nil
        }
        state.statistics.hits += 1
        return state.list.value(at: slot)
      }
      if let value = weakValue(state, key) {
        state.statistics.hits += 1
        state.statistics.weakHits += 1
        return value
      }
      state.statistics.misses += 1
      return nil
    }
    withExtendedLifetime(dropped) {}
    return value
  }

  /// Whether `key` would be answered; changes neither order nor statistics.
  public func contains(_ key: Key) -> Bool {
    state.withLock { state in
      if let slot = state.list.peek(key) { return !isExpired(state.list, slot, state.limits) }
      return weakValue(state, key) != nil
    }
  }

  /// Keeps `value` under `key`, in place of what was there, and drops the least recently used
  /// until the limits hold.
  ///
  /// - Parameters:
  ///   - value: What is kept.
  ///   - cost: In the unit of the limit; below 0 counts as 0. A value over the limit for one entry
  ///     is not kept, and what was there under `key` is gone.
  ///   - key: What it is found by.
  public func store(_ value: Value, cost: Int, for key: Key) {
    let dropped = state.withLock { state -> [Value] in
      // What was dropped under this key before is out of date.
      if !state.weak.isEmpty { state.weak.remove(key) }
      let cost = max(0, cost)
      let storedAt = state.limits.age == nil ? nil : now()
      guard Double(cost) <= Double(state.limits.cost) * state.limits.largestEntry,
        state.limits.count > 0
      else {
        keepWeakly(value, storedAt: storedAt, for: key, in: &state)
        return state.list.remove(key).map { [$0.value] } ?? []
      }
      let former = state.list.insert(value, cost: cost, storedAt: storedAt, for: key)
      return (former.map { [$0] } ?? []) + trim(&state, toCost: state.limits.cost)
    }
    withExtendedLifetime(dropped) {}
  }

  /// Forgets `key`, on the weak level too.
  public func remove(_ key: Key) {
    let dropped = state.withLock { state in
      state.weak.remove(key)
      return state.list.remove(key)
    }
    withExtendedLifetime(dropped) {}
  }

  /// Forgets everything whose key `isIncluded`; takes time with the number of entries.
  public func removeAll(where isIncluded: (Key) -> Bool) {
    let keys = state.withLock { $0.list.keys + $0.weak.keys }
    for key in keys where isIncluded(key) { remove(key) }
  }

  /// Forgets everything; statistics go on.
  public func removeAll() {
    let dropped = state.withLock { state in
      defer {
        state.list = LRUList()
        state.weak = WeakLevel()
      }
      return state.list
    }
    withExtendedLifetime(dropped) {}
  }

  /// Drops the least recently used until the sum of costs is at most `cost`.
  public func trim(toCost cost: Int) {
    let dropped = state.withLock { trim(&$0, toCost: max(0, cost)) }
    withExtendedLifetime(dropped) {}
  }

  /// What the cache may hold; a lower limit takes effect at once.
  public var limits: Limits {
    get { state.withLock { $0.limits } }
    set {
      let dropped = state.withLock { state in
        state.limits = newValue
        return trim(&state, toCost: newValue.cost)
      }
      withExtendedLifetime(dropped) {}
    }
  }

  /// What the cache holds and how it has answered.
  public var statistics: Statistics {
    state.withLock { state in
      var statistics = state.statistics
      statistics.cost = state.list.cost
      statistics.count = state.list.count
      return statistics
    }
  }

  private func isExpired(
    _ list: borrowing LRUList<Key, Value>, _ slot: Int, _ limits: Limits
  ) -> Bool {
    guard limits.age != nil else { return false }
    return isExpired(list.storedAt(slot), limits)
  }

  private func isExpired(_ storedAt: ContinuousClock.Instant?, _ limits: Limits) -> Bool {
    guard let age = limits.age, let storedAt else { return false }
    return now() - storedAt >= age
  }

  /// A dropped value that somebody holds, as old as it may be.
  private func weakValue(_ state: borrowing State, _ key: Key) -> Value? {
    guard !state.weak.isEmpty, let found = state.weak.value(for: key),
      !isExpired(found.storedAt, state.limits)
    else { return nil }
    return found.value
  }

  /// A reference is made of what is dropped only: one that exists makes every hit dearer.
  private func keepWeakly(
    _ value: Value, storedAt: ContinuousClock.Instant?, for key: Key, in state: inout State
  ) {
    guard let reference = weakly?(value) else { return }
    state.weak.insert(reference, storedAt: storedAt, for: key)
  }

  private func trim(_ state: inout State, toCost cost: Int) -> [Value] {
    var dropped: [Value] = []
    while state.list.cost > cost || state.list.count > state.limits.count,
      let node = state.list.removeLeastRecentlyUsed()
    {
      keepWeakly(node.value, storedAt: node.storedAt, for: node.key, in: &state)
      dropped.append(node.value)
      state.statistics.evictions += 1
    }
    return dropped
  }
}
