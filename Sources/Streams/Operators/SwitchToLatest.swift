extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Sends what the newest of the received publishers sends; the one before is cancelled.
  ///
  /// Nothing of an older publisher is delivered once a newer has come. Fails when the source or the
  /// newest fails; finishes when both have. Delivers where the newest sends, one at a time.
  /// Unmet demand passes to the next. Cancel stops the source and the newest.
  ///
  /// ```swift
  /// // Only the last URL's image arrives.
  /// shownURL.map { load($0) }.switchToLatest()
  /// ```
  @inlinable @inline(__always)
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Failure == Never {
  /// Sends what the newest of the received publishers sends, for sources that cannot fail.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Output, Publishers.SetFailureType<Self, Output.Failure>
    >
  {
    Publishers.SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// Sends what the newest of the received publishers sends, where these cannot fail.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>,
      Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    >
  {
    map { $0.setFailureType(to: Failure.self) }.switchToLatest()
  }
}

extension Publishers {
  /// What `switchToLatest` returns.
  public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher
  where Upstream.Output == P, Upstream.Failure == P.Failure {
    /// What the received publishers send.
    public typealias Output = P.Output
    /// The source's.
    public typealias Failure = P.Failure

    /// The source of publishers.
    public let upstream: Upstream

    /// A publisher of what the newest of `upstream`'s publishers sends.
    @inlinable @inline(__always)
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: SwitchSubscriber<P, S>(SerialDelivery(SwitchMachine(), subscriber)) {
          publisher, inner in publisher.receive(subscriber: inner)
        })
    }
  }
}

/// The rules of `switchToLatest`: each publisher has a number, and only the newest counts.
@usableFromInline
struct SwitchMachine<Value: Sendable, Failure: Error>: DeliveryMachine {
  @usableFromInline var upstream: (any Subscription)?
  @usableFromInline var upstreamIsDone = false
  @usableFromInline var newest = 0
  @usableFromInline var isActive = false
  @usableFromInline var inner: (any Subscription)?

  @inlinable
  init() {}

  @inlinable
  mutating func start(_ outbox: inout Outbox<Value, Failure>) -> Int {
    outbox.cancelLater(inner.take())
    outbox.first = nil
    outbox.rest = Queue()
    newest += 1
    isActive = true
    return newest
  }

  /// Returns whether the subscription is still wanted.
  @inlinable
  mutating func started(
    _ number: Int, _ subscription: any Subscription, _ outbox: inout Outbox<Value, Failure>
  ) -> Bool {
    guard number == newest else { return false }
    inner = subscription
    outbox.effects.request(subscription, outbox.demand)
    return true
  }

  @inlinable
  mutating func ended(
    _ number: Int, _ completion: Subscribers.Completion<Failure>,
    _ outbox: inout Outbox<Value, Failure>
  ) {
    guard number == newest else { return }
    isActive = false
    inner = nil
    if case .failure = completion { return outbox.finish(completion) }
    if upstreamIsDone { outbox.finish(.finished) }
  }

  @inlinable
  mutating func upstreamEnded(
    _ completion: Subscribers.Completion<Failure>, _ outbox: inout Outbox<Value, Failure>
  ) {
    upstream = nil
    upstreamIsDone = true
    if case .failure = completion { return outbox.finish(completion) }
    if !isActive { outbox.finish(.finished) }
  }

  @inlinable
  mutating func demandRose(
    by more: Subscribers.Demand, _ outbox: inout Outbox<Value, Failure>
  ) {
    outbox.effects.request(inner, more)
  }

  @inlinable
  mutating func stop(_ outbox: inout Outbox<Value, Failure>) {
    outbox.cancelLater(upstream.take())
    outbox.cancelLater(inner.take())
  }
}

@usableFromInline
struct SwitchSubscriber<Input: Sendable, Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline typealias Delivery =
    SerialDelivery<SwitchMachine<Downstream.Input, Downstream.Failure>, Downstream>

  @usableFromInline let delivery: Delivery
  @usableFromInline let start: @Sendable (Input, SwitchInner<Downstream>) -> Void

  @inlinable @inline(__always)
  init(
    _ delivery: Delivery, start: @escaping @Sendable (Input, SwitchInner<Downstream>) -> Void
  ) {
    self.delivery = delivery
    self.start = start
  }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    delivery.update { machine, outbox in
      machine.upstream = subscription
      outbox.effects.request(subscription, .unlimited)
    }
    delivery.open("SwitchToLatest")
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    var number = 0
    let isOpen = delivery.update { machine, outbox in number = machine.start(&outbox) }
    guard isOpen else { return .none }
    let inner = SwitchInner(delivery: delivery, number: number)
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

extension SwitchSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "SwitchToLatest" }
}

@usableFromInline
struct SwitchInner<Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let delivery: SwitchSubscriber<Never, Downstream>.Delivery
  @usableFromInline let number: Int

  @inlinable @inline(__always)
  init(delivery: SwitchSubscriber<Never, Downstream>.Delivery, number: Int) {
    self.delivery = delivery
    self.number = number
  }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    var isWanted = false
    delivery.update { machine, outbox in
      isWanted = machine.started(number, subscription, &outbox)
    }
    if !isWanted { subscription.cancel() }
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    delivery.update { machine, outbox in
      if number == machine.newest { outbox.put(input) }
    }
    return .none
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    delivery.update { machine, outbox in machine.ended(number, completion, &outbox) }
  }
}

extension SwitchInner: CustomStringConvertible {
  @usableFromInline var description: String { "SwitchToLatest" }
}
