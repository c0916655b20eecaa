extension Publisher {
  /// Delivers each value, and the end, a while later, in order.
  ///
  /// The source is asked for as much as is demanded; what waits for its time is held. A failure is
  /// delayed as well. Delivers on `scheduler`. Cancel drops what waits.
  ///
  /// - Parameters:
  ///   - interval: How much later.
  ///   - tolerance: By how much more it may be late; as little as the scheduler can unless given.
  ///   - scheduler: Whose time counts, and where values are delivered.
  ///   - options: How work is scheduled.
  ///
  /// ```swift
  /// Just(cover).delay(for: .milliseconds(200), scheduler: DispatchQueue.main)
  /// ```
  @inlinable @inline(__always)
  public func delay<S: Scheduler>(
    for interval: Duration, tolerance: Duration? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S> {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance, scheduler: scheduler,
      options: options)
  }
}

extension Publishers {
  /// What `delay` returns.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// How much later.
    public let interval: Duration
    /// By how much more it may be late.
    public let tolerance: Duration?
    /// Whose time counts, and where values are delivered.
    public let scheduler: Context
    /// How work is scheduled.
    public let options: Context.SchedulerOptions?

    @inlinable @inline(__always)
    init(
      upstream: Upstream, interval: Duration, tolerance: Duration?, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.tolerance = tolerance
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      TimedStart.begin(
        "Delay", DelayState<Output, Failure, Context.SchedulerTimeType>(interval), demand: .passed,
        subscriber, scheduler: scheduler, tolerance: tolerance, options: options
      ) {
        upstream.receive(subscriber: $0)
      }
    }
  }
}
