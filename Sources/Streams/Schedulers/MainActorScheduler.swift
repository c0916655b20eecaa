import Dispatch

/// Runs work on the main actor: at once when already there, otherwise on the main queue.
///
/// `receive(on:)` keeps the order either way.
///
/// ```swift
/// load(url).receive(on: MainActorScheduler.shared)
/// ```
public struct MainActorScheduler: Scheduler {
  /// A moment on the main queue's clock.
  public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
  /// The main queue's options.
  public typealias SchedulerOptions = DispatchQueue.SchedulerOptions

  /// The one scheduler of its kind.
  public static let shared = MainActorScheduler()

  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller runs on the main queue.
  public static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  /// The present moment.
  public var now: SchedulerTimeType { DispatchQueue.main.now }

  /// Zero.
  public var minimumTolerance: Duration { .zero }

  /// Runs `action` now when called on the main queue, otherwise as soon as that is free.
  public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
    if options == nil, Self.isCurrent {
      action()
    } else {
      DispatchQueue.main.schedule(options: options, action)
    }
  }

  /// Runs `action` on the main queue at `date`.
  public func schedule(
    after date: SchedulerTimeType, tolerance: Duration, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void
  ) {
    DispatchQueue.main.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  /// Runs `action` on the main queue at `date` and then each `interval`, until cancelled.
  public func schedule(
    after date: SchedulerTimeType, interval: Duration, tolerance: Duration,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    DispatchQueue.main.schedule(
      after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}
