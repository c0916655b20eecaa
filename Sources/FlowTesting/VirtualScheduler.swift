import Flow
import Synchronization

/// A scheduler whose clock moves only when told to: tests of time that take no time.
///
/// Nothing runs while it is scheduled. `advance(by:)` and `run()` run what is due, on the calling
/// thread, one action at a time: by date, and in the order of scheduling where dates are equal.
/// Work may be scheduled from any thread, also from inside an action. Whoever advances while an
/// action runs, from inside it or from another thread, extends that run and returns at once:
/// actions are never nested and never overlap.
///
/// ```swift
/// let scheduler = VirtualScheduler()
/// let task = Just(1).delay(for: .seconds(3), scheduler: scheduler).sink { print($0) }
/// scheduler.advance(by: .seconds(3))  // prints 1
/// ```
public final class VirtualScheduler: Scheduler {
  /// Its moments.
  public typealias SchedulerTimeType = VirtualTime
  /// It understands no options.
  public typealias SchedulerOptions = Never

  private let state: Mutex<VirtualAgenda>

  /// A scheduler whose clock shows `now`, the start unless given.
  public init(now: VirtualTime = VirtualTime()) {
    state = Mutex(VirtualAgenda(now: now))
  }

  /// The present moment: inside an action, the one that the action is due at.
  public var now: VirtualTime { state.withLock { $0.now } }

  /// Zero: it is exact.
  public var minimumTolerance: Duration { .zero }

  /// How many actions wait; one that repeats counts once.
  public var pendingCount: Int { state.withLock { $0.count } }

  /// Whether nothing waits: no timer was left running.
  public var isIdle: Bool { pendingCount == 0 }

  /// Moves the clock on by `duration`, running all that is due until then, the last moment
  /// included.
  ///
  /// `.zero` runs what is due now. A negative duration counts as zero.
  public func advance(by duration: Duration = .zero) {
    drain { agenda in agenda.now.advanced(by: max(duration, .zero)) }
  }

  /// Moves the clock on to `moment`, running all that is due until then. A moment that has passed
  /// counts as now.
  public func advance(to moment: VirtualTime) {
    drain { agenda in max(agenda.now, moment) }
  }

  /// Runs all that waits, and what that schedules, until only repeating actions are left. The clock
  /// stops at the last action that ran.
  ///
  /// An action that schedules its like for ever keeps this going for ever: advance by a time then.
  public func run() {
    drain { _ in nil }
  }

  /// Runs `action` at the next advance.
  public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {
    _ = state.withLock { $0.add(action, at: $0.now) }
  }

  /// Runs `action` when the clock reaches `date`; at the next advance if that has passed.
  public func schedule(
    after date: VirtualTime, tolerance: Duration, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) {
    _ = state.withLock { $0.add(action, at: date) }
  }

  /// Runs `action` when the clock reaches `date`, and then each `interval`, until cancelled. An
  /// interval below a nanosecond counts as one.
  public func schedule(
    after date: VirtualTime, interval: Duration, tolerance: Duration, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let id = state.withLock {
      $0.add(action, at: date, interval: max(interval, .nanoseconds(1)))
    }
    return AnyCancellable { [weak self] in
      let dropped = self?.state.withLock { $0.remove(id) }
      _ = dropped
    }
  }

  /// Runs what is due until the target; without one, while anything waits that does not repeat.
  private func drain(until target: (borrowing VirtualAgenda) -> VirtualTime?) {
    let isMine = state.withLock { agenda in
      agenda.extend(to: target(agenda))
      if agenda.isRunning { return false }
      agenda.isRunning = true
      return true
    }
    guard isMine else { return }
    while let action = state.withLock({ $0.next() }) { action() }
  }
}
