extension Publisher {
  /// Sends at most one value an interval: the first at once, and then the newest, or the first, of
  /// each.
  ///
  /// Everything is asked for; of what nobody asked for the newest is kept. When the source
  /// finishes, a value that still waits is sent at once; when it fails, at once the failure.
  /// Delivers on `scheduler`. Cancel drops what waits.
  ///
  /// - Parameters:
  ///   - interval: The least time between two values.
  ///   - scheduler: Whose time counts, and where values are delivered.
  ///   - latest: Whether the newest value of an interval is sent, or the first.
  ///
  /// ```swift
  /// progress.throttle(for: .milliseconds(100), scheduler: DispatchQueue.main, latest: true)
  /// ```
  @inlinable @inline(__always)
  public func throttle<S: Scheduler>(
    for interval: Duration, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(
      upstream: self, interval: interval, latest: latest, scheduler: scheduler)
  }
}

extension Publishers {
  /// What `throttle` returns.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// The least time between two values.
    public let interval: Duration
    /// Whether the newest value of an interval is sent, or the first.
    public let latest: Bool
    /// Whose time counts, and where values are delivered.
    public let scheduler: Context

    @inlinable @inline(__always)
    init(upstream: Upstream, interval: Duration, latest: Bool, scheduler: Context) {
      self.upstream = upstream
      self.interval = interval
      self.latest = latest
      self.scheduler = scheduler
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      TimedStart.begin(
        "Throttle",
        ThrottleState<Output, Failure, Context.SchedulerTimeType>(interval, latest: latest),
        demand: .newest,
        subscriber, scheduler: scheduler, options: nil
      ) {
        upstream.receive(subscriber: $0)
      }
    }
  }
}
