/// Runs everything at once, on the calling thread; delays take no time.
///
/// For tests and for chains that need a scheduler but no hop.
///
/// ```swift
/// Just(1).delay(for: .seconds(60), scheduler: ImmediateScheduler.shared)  // 1
/// ```
public struct ImmediateScheduler: Scheduler {
  /// A moment on a clock that stands still.
  public struct SchedulerTimeType: InstantProtocol {
    /// The distance from the scheduler's only moment.
    public let offset: Duration

    @usableFromInline init(offset: Duration) { self.offset = offset }

    /// The moment `duration` later.
    public func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }

    /// The time from here to `other`.
    public func duration(to other: Self) -> Duration { other.offset - offset }

    /// Whether the left moment is earlier.
    public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
  }

  /// The one scheduler of its kind.
  public static let shared = ImmediateScheduler()

  /// Its only moment.
  public var now: SchedulerTimeType { SchedulerTimeType(offset: .zero) }

  /// Zero.
  public var minimumTolerance: Duration { .zero }

  /// Runs `action` now.
  public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) { action() }

  /// Runs `action` now.
  public func schedule(
    after date: SchedulerTimeType, tolerance: Duration, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) {
    action()
  }

  /// Runs `action` now, once.
  public func schedule(
    after date: SchedulerTimeType, interval: Duration, tolerance: Duration, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}
