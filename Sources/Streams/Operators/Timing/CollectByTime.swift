extension Publisher {
  /// Collects values into arrays: what comes within a time, or up to a number of values.
  ///
  /// The time runs from an array's first value. Everything is asked for. When the source finishes,
  /// what was collected is sent; when it fails, it is dropped. Delivers on the strategy's
  /// scheduler, full arrays where the source sends. Cancel drops what was collected.
  ///
  /// ```swift
  /// events.collect(.byTimeOrCount(DispatchQueue.main, .seconds(1), 100))
  /// ```
  @inlinable @inline(__always)
  public func collect<S: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
  ) -> Publishers.CollectByTime<Self, S> {
    Publishers.CollectByTime(
      upstream: self, interval: strategy.interval, count: strategy.count,
      scheduler: strategy.scheduler,
      options: options)
  }
}

extension Publishers {
  /// What `collect(_:options:)` returns.
  public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// Some of the source's values.
    public typealias Output = [Upstream.Output]
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// The longest time that an array is collected.
    public let interval: Duration
    /// The largest number of values in an array.
    public let count: Int
    /// Whose time counts, and where values are delivered.
    public let scheduler: Context
    /// How work is scheduled.
    public let options: Context.SchedulerOptions?

    @inlinable @inline(__always)
    init(
      upstream: Upstream, interval: Duration, count: Int, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.count = count
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      TimedStart.begin(
        "CollectByTime",
        CollectByTimeState<Upstream.Output, Failure, Context.SchedulerTimeType>(
          interval, count: count), demand: .all,
        subscriber, scheduler: scheduler, options: options
      ) {
        upstream.receive(subscriber: $0)
      }
    }
  }
}
