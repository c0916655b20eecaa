extension Publisher {
  /// Ends the stream when the source has been silent for too long.
  ///
  /// The time runs from the subscription, and anew from each value. Values pass at once, where the
  /// source sends them; the end of a silent stream comes on `scheduler` and cancels the source.
  ///
  /// - Parameters:
  ///   - interval: The longest silence.
  ///   - scheduler: Whose time counts.
  ///   - options: How work is scheduled.
  ///   - customError: Makes the error to fail with; without it the stream just finishes.
  ///
  /// ```swift
  /// load(url).timeout(.seconds(15), scheduler: DispatchQueue.global()) { LoadError.timedOut }
  /// ```
  @inlinable @inline(__always)
  public func timeout<S: Scheduler>(
    _ interval: Duration, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (@Sendable () -> Failure)? = nil
  ) -> Publishers.Timeout<Self, S> {
    Publishers.Timeout(
      upstream: self, interval: interval, customError: customError, scheduler: scheduler,
      options: options)
  }
}

extension Publishers {
  /// What `timeout` returns.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// The longest silence.
    public let interval: Duration
    /// Makes the error to fail with.
    public let customError: (@Sendable () -> Upstream.Failure)?
    /// Whose time counts, and where values are delivered.
    public let scheduler: Context
    /// How work is scheduled.
    public let options: Context.SchedulerOptions?

    @inlinable @inline(__always)
    init(
      upstream: Upstream, interval: Duration, customError: (@Sendable () -> Upstream.Failure)?,
      scheduler: Context, options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.customError = customError
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      TimedStart.begin(
        "Timeout",
        TimeoutState<Output, Failure, Context.SchedulerTimeType>(interval, error: customError),
        demand: .passed,
        subscriber, scheduler: scheduler, options: options
      ) {
        upstream.receive(subscriber: $0)
      }
    }
  }
}
