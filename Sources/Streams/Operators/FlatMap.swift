extension Publisher {
  /// Makes a publisher of each value and sends what all of these send, as it comes.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many of them may run at the same time; the source is asked for no more
  ///     values than that. One runs them one after the other.
  ///   - transform: Called once per value.
  ///
  /// Fails when the source or any of the publishers fails, and cancels the others. Finishes when
  /// all have. Delivers on whichever thread they send, one at a time. Honours demand: each
  /// publisher is at most one value ahead. Cancel stops the source and all that run.
  ///
  /// ```swift
  /// urls.publisher.flatMap(maxPublishers: .max(6)) { load($0) }
  /// ```
  @inlinable @inline(__always)
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  /// Makes a publisher of each value and sends what all of these send, for sources that cannot
  /// fail. See `flatMap(maxPublishers:_:)`.
  @inlinable @inline(__always)
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> where Failure == Never {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  /// Makes a publisher that cannot fail of each value, and sends what all of these send.
  /// See `flatMap(maxPublishers:_:)`.
  @inlinable @inline(__always)
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
  }

  /// Makes a publisher of each value and sends what all of these send, where nothing can fail.
  /// See `flatMap(maxPublishers:_:)`.
  @inlinable @inline(__always)
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where Failure == Never, P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publishers {
  /// What `flatMap` returns.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    /// What the made publishers send.
    public typealias Output = NewPublisher.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// How many made publishers may run at the same time.
    public let maxPublishers: Subscribers.Demand
    /// Called once per value.
    public let transform: @Sendable (Upstream.Output) -> NewPublisher

    /// A publisher of what the publishers send that `transform` makes.
    @inlinable @inline(__always)
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping @Sendable (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let transform = transform
      upstream.receive(
        subscriber: FlatMapSubscriber<Upstream.Output, S>(
          SerialDelivery(FlatMapMachine(limit: maxPublishers), subscriber)
        ) { value, inner in
          transform(value).receive(subscriber: inner)
        })
    }
  }
}

/// Takes the source's values and starts a publisher for each.
@usableFromInline
struct FlatMapSubscriber<Input: Sendable, Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline typealias Delivery =
    SerialDelivery<FlatMapMachine<Downstream.Input, Downstream.Failure>, Downstream>

  @usableFromInline let delivery: Delivery
  @usableFromInline let start: @Sendable (Input, FlatMapInner<Downstream>) -> Void

  @inlinable @inline(__always)
  init(
    _ delivery: Delivery,
    start: @escaping @Sendable (Input, FlatMapInner<Downstream>) -> Void
  ) {
    self.delivery = delivery
    self.start = start
  }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    delivery.update { machine, outbox in
      machine.upstream = subscription
      outbox.effects.request(subscription, machine.limit)
    }
    delivery.open("FlatMap")
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    var slot = 0
    var takesEverything = false
    let isOpen = delivery.update { machine, outbox in
      slot = machine.start()
      takesEverything = outbox.demand.isUnlimited
    }
    guard isOpen else { return .none }
    let inner = FlatMapInner(delivery: delivery, slot: slot, takesEverything: takesEverything)
    if Trampoline.enter() {
      start(input, inner)
      Trampoline.leave()
    } else {
      Trampoline.postpone { self.start(input, inner) }
    }
    return .none
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    delivery.update { machine, outbox in machine.upstreamEnded(completion, &outbox) }
  }
}

extension FlatMapSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "FlatMap" }
}

/// Takes what one of several publishers sends.
@usableFromInline
struct FlatMapInner<Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline typealias Delivery =
    SerialDelivery<FlatMapMachine<Downstream.Input, Downstream.Failure>, Downstream>

  @usableFromInline let delivery: Delivery
  @usableFromInline let slot: Int
  @usableFromInline let takesEverything: Bool

  @inlinable @inline(__always)
  init(delivery: Delivery, slot: Int, takesEverything: Bool) {
    self.delivery = delivery
    self.slot = slot
    self.takesEverything = takesEverything
  }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    if subscription is EmptySubscription { return }
    let isOpen = delivery.update { machine, outbox in
      machine.started(slot, subscription, &outbox)
    }
    if !isOpen { subscription.cancel() }
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    delivery.update { machine, outbox in machine.received(input, from: slot, &outbox) }
    return .none
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    delivery.update { machine, outbox in machine.ended(slot, completion, &outbox) }
  }
}

extension FlatMapInner: CustomStringConvertible {
  @usableFromInline var description: String { "FlatMap" }
}
