extension Publisher {
  /// Sends, in place of each value, the time since the one before, or since the subscription.
  ///
  /// Fails, ends and delivers as the source does; cancel passes through.
  ///
  /// ```swift
  /// taps.measureInterval(using: DispatchQueue.main)
  /// ```
  @inlinable @inline(__always)
  public func measureInterval<S: Scheduler>(using scheduler: S)
    -> Publishers.MeasureInterval<Self, S>
  {
    Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
  }
}

extension Publishers {
  /// What `measureInterval` returns.
  public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The time between two values.
    public typealias Output = Duration
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// Whose clock is read.
    public let scheduler: Context

    @inlinable @inline(__always)
    init(upstream: Upstream, scheduler: Context) {
      self.upstream = upstream
      self.scheduler = scheduler
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let scheduler = scheduler
      upstream.receive(
        subscriber: MeasureIntervalSubscriber<Upstream.Output, Context.SchedulerTimeType, S>(
          downstream: subscriber, now: { scheduler.now }))
    }
  }
}

@usableFromInline
struct MeasureIntervalSubscriber<Input: Sendable, Time: InstantProtocol, Downstream: Subscriber>:
  RelaySubscriber
where Downstream.Input == Duration, Time.Duration == Duration {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let now: @Sendable () -> Time
  @usableFromInline let last = SerialBox<Time?>(nil)

  @inlinable @inline(__always)
  init(downstream: Downstream, now: @escaping @Sendable () -> Time) {
    self.downstream = downstream
    self.now = now
  }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    last.value = now()
    downstream.receive(subscription: subscription)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    let now = now()
    let interval = (last.value ?? now).duration(to: now)
    last.value = now
    return downstream.receive(interval)
  }
}

extension MeasureIntervalSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "MeasureInterval" }
}
