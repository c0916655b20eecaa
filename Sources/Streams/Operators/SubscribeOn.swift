extension Publisher {
  /// Subscribes to this publisher, and asks it for values, on `scheduler`.
  ///
  /// Values arrive where the source sends them. Cancel works at once, wherever it is called.
  ///
  /// ```swift
  /// readFile.subscribe(on: DispatchQueue.global())
  /// ```
  @inlinable @inline(__always)
  public func subscribe<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, S> {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// What `subscribe(on:)` returns.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// Where it is subscribed.
    public let scheduler: Context
    /// How that is scheduled.
    public let options: Context.SchedulerOptions?

    /// `upstream`, subscribed on `scheduler`.
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
      let (upstream, scheduler, options) = (upstream, scheduler, options)
      let relay = SubscribeOnRelay { scheduler.schedule(options: options, $0) }
      let level = Trampoline.level
      subscriber.receive(subscription: relay)
      scheduler.schedule(options: options) {
        if relay.isOver { return }
        Trampoline.at(level) {
          upstream.receive(subscriber: SubscribeOnSubscriber(downstream: subscriber, relay: relay))
        }
      }
    }
  }
}
