import Dispatch

extension DispatchQueue: Scheduler {
  /// A moment on the queue's clock, which stands still while the machine sleeps.
  public struct SchedulerTimeType: InstantProtocol {
    /// The moment as Dispatch writes it.
    public let dispatchTime: DispatchTime

    /// The moment `time`.
    public init(_ time: DispatchTime) { dispatchTime = time }

    /// The moment `duration` later; far away where that cannot be written.
    public func advanced(by duration: Duration) -> Self {
      let nanoseconds = Int64(clamping: duration.wholeNanoseconds)
      let time = Int64(clamping: dispatchTime.uptimeNanoseconds)
      let (sum, overflow) = time.addingReportingOverflow(nanoseconds)
      if overflow {
        return Self(nanoseconds < 0 ? DispatchTime(uptimeNanoseconds: 1) : .distantFuture)
      }
      return Self(DispatchTime(uptimeNanoseconds: UInt64(max(sum, 1))))
    }

    /// The time from here to `other`.
    public func duration(to other: Self) -> Duration {
      let from = Int64(clamping: dispatchTime.uptimeNanoseconds)
      let to = Int64(clamping: other.dispatchTime.uptimeNanoseconds)
      return .nanoseconds(to - from)
    }

    /// Whether the left moment is earlier.
    public static func < (left: Self, right: Self) -> Bool {
      left.dispatchTime < right.dispatchTime
    }

    /// Hashes the moment.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(dispatchTime.uptimeNanoseconds)
    }
  }

  /// How work is put on the queue.
  public struct SchedulerOptions: Sendable {
    /// The quality of service of the work.
    public var qos: DispatchQoS
    /// Further flags.
    public var flags: DispatchWorkItemFlags {
      get { DispatchWorkItemFlags(rawValue: rawFlags) }
      set { rawFlags = newValue.rawValue }
    }
    private var rawFlags: UInt

    /// Options; without any, work runs as the queue does.
    public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = []) {
      self.qos = qos
      rawFlags = flags.rawValue
    }
  }

  /// The present moment.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  /// Zero: Dispatch states no bound.
  public var minimumTolerance: Duration { .zero }

  /// Runs `action` on the queue, after what is there already.
  public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
    if let options {
      async(qos: options.qos, flags: options.flags, execute: action)
    } else {
      async(execute: action)
    }
  }

  /// Runs `action` on the queue at `date`.
  public func schedule(
    after date: SchedulerTimeType, tolerance: Duration, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void
  ) {
    asyncAfter(
      deadline: date.dispatchTime, qos: options?.qos ?? .unspecified, flags: options?.flags ?? [],
      execute: action)
  }

  /// Runs `action` on the queue at `date` and then each `interval`, until cancelled.
  public func schedule(
    after date: SchedulerTimeType, interval: Duration, tolerance: Duration,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let timer = DispatchSource.makeTimerSource(queue: self)
    timer.schedule(
      deadline: date.dispatchTime,
      repeating: .nanoseconds(Int(clamping: max(interval, .zero).wholeNanoseconds)),
      leeway: .nanoseconds(Int(clamping: max(tolerance, .zero).wholeNanoseconds)))
    timer.setEventHandler(
      qos: options?.qos ?? .unspecified, flags: options?.flags ?? [], handler: action)
    timer.activate()
    return RunningTimer(timer)
  }
}

/// A timer that goes on until it is cancelled.
// SAFETY: Dispatch allows cancelling a source from any thread.
private final class RunningTimer: Cancellable, @unchecked Sendable {
  private let timer: any DispatchSourceTimer

  init(_ timer: any DispatchSourceTimer) { self.timer = timer }

  func cancel() { timer.cancel() }
}

extension Duration {
  /// The nanoseconds in it, cut to what 128 bits hold.
  var wholeNanoseconds: Int128 {
    let (seconds, attoseconds) = components
    return Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
  }
}
