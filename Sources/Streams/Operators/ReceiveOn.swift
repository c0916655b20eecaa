extension Publisher {
  /// Delivers values and the end, good or a failure, on `scheduler`, in order.
  ///
  /// It hops once a burst, not once a value. What was asked for and waits for its turn is held;
  /// cancel drops it at once. The subscription itself arrives where the source sends it.
  ///
  /// ```swift
  /// load(url).receive(on: DispatchQueue.main)
  /// ```
  @inlinable @inline(__always)
  public func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, S> {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// What `receive(on:)` returns.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// Where values are delivered.
    public let scheduler: Context
    /// How they are scheduled.
    public let options: Context.SchedulerOptions?

    /// `upstream`, delivered on `scheduler`.
    @inlinable @inline(__always)
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let (scheduler, options) = (scheduler, options)
      upstream.receive(
        subscriber: Hop("ReceiveOn", subscriber) { scheduler.schedule(options: options, $0) })
    }
  }
}
