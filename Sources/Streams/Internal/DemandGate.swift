import Synchronization

/// Counts what a cold source was asked for, and lets one thread at a time answer.
///
/// The number is what is still owed while a thread is sending; nobody sends while it is zero.
/// So whoever raises it from zero sends, and whoever cancels it at zero releases.
@usableFromInline
struct DemandGate: ~Copyable {
  @usableFromInline let owed = Atomic<Int>(0)

  @inlinable @inline(__always)
  init() {}

  @inlinable @inline(__always)
  static var cancelled: Int { .min }

  /// What is owed at this moment.
  @inlinable @inline(__always)
  var now: Int { owed.load(ordering: .acquiring) }

  /// Whether everything is wanted, and nobody cancelled.
  @inlinable @inline(__always)
  var isUnlimited: Bool { owed.load(ordering: .relaxed) == .max }

  @inlinable @inline(__always)
  var isCancelled: Bool { owed.load(ordering: .relaxed) == Self.cancelled }

  /// Adds `demand`, saturating. Returns whether the caller has to send.
  @inlinable
  func add(_ demand: Subscribers.Demand) -> Bool {
    guard demand > .none else { return false }
    var old = owed.load(ordering: .relaxed)
    while old != Self.cancelled {
      let new = (Subscribers.Demand(count: old) + demand).count
      let (done, seen) = owed.weakCompareExchange(
        expected: old, desired: new, ordering: .acquiringAndReleasing)
      if done { return old == 0 }
      old = seen
    }
    return false
  }

  /// Accounts for `sent` values after which `more` were asked for. Returns what is owed now: zero
  /// means that the caller stopped sending, a negative number that it must release.
  @inlinable
  func settle(sent: Int, more: Subscribers.Demand) -> Int {
    var old = owed.load(ordering: .relaxed)
    while old != Self.cancelled, old != .max {
      let new = (Subscribers.Demand(count: old - sent) + more).count
      let (done, seen) = owed.weakCompareExchange(
        expected: old, desired: new, ordering: .acquiringAndReleasing)
      if done { return new }
      old = seen
    }
    return old
  }

  /// Cancels. Returns whether the caller has to release, because nobody is sending.
  @inlinable
  func cancel() -> Bool {
    owed.exchange(Self.cancelled, ordering: .acquiringAndReleasing) == 0
  }
}
