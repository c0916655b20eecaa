/// A place and a time to run closures: a queue, the main actor, virtual time.
///
/// It has Combine's shape, with the standard library's instants and `Duration` for time.
///
/// ```swift
/// let queue = DispatchQueue(label: "work")
/// queue.schedule { print("soon") }
/// queue.schedule(after: queue.now.advanced(by: .seconds(1))) { print("in a second") }
/// ```
public protocol Scheduler<SchedulerTimeType>: Sendable {
  /// A moment on this scheduler's clock.
  associatedtype SchedulerTimeType: InstantProtocol where SchedulerTimeType.Duration == Duration
  /// Extra wishes that the scheduler understands.
  associatedtype SchedulerOptions: Sendable = Never

  /// The present moment.
  var now: SchedulerTimeType { get }
  /// The smallest deviation from a wished time that it can keep.
  var minimumTolerance: Duration { get }

  /// Runs `action` as soon as possible.
  func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void)

  /// Runs `action` at `date` or later, by at most about `tolerance`.
  func schedule(
    after date: SchedulerTimeType, tolerance: Duration, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void)

  /// Runs `action` at `date` and then each `interval`, until cancelled.
  func schedule(
    after date: SchedulerTimeType, interval: Duration, tolerance: Duration,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable
}

extension Scheduler {
  /// Runs `action` as soon as possible.
  @inlinable
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    schedule(options: nil, action)
  }

  /// Runs `action` at `date`, as exactly as the scheduler can.
  @inlinable
  public func schedule(after date: SchedulerTimeType, _ action: @escaping @Sendable () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs `action` at `date` or later, by at most about `tolerance`.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, tolerance: Duration, _ action: @escaping @Sendable () -> Void
  ) {
    schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  /// Runs `action` at `date` and then each `interval`, until cancelled.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, interval: Duration, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    schedule(
      after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }
}
