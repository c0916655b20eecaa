extension Publisher {
  /// Sends everything that happens as values: each value, and the end as the last value.
  ///
  /// Never fails. The end counts as a value and waits until it is asked for. Delivers where the
  /// source sends, the end where it is asked for; cancel passes through. `dematerialize` reverses
  /// it.
  ///
  /// ```swift
  /// // The values 1 and 2, and the end.
  /// (1...2).publisher.materialize()
  /// ```
  @inlinable @inline(__always)
  public func materialize() -> Publishers.Materialize<Self> {
    Publishers.Materialize(upstream: self)
  }
}

extension Publishers {
  /// What `materialize` returns.
  public struct Materialize<Upstream: Publisher>: Publisher {
    /// What happens in the source.
    public typealias Output = StreamEvent<Upstream.Output, Upstream.Failure>
    /// It cannot fail.
    public typealias Failure = Never

    /// The source.
    public let upstream: Upstream

    @inlinable @inline(__always)
    init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: MaterializeSubscriber(downstream: subscriber))
    }
  }
}

@usableFromInline
struct MaterializeSubscriber<Input: Sendable, Failure: Error, Downstream: Subscriber>:
  RelaySubscriber
where Downstream.Input == StreamEvent<Input, Failure>, Downstream.Failure == Never {

  @usableFromInline let downstream: Downstream
  @usableFromInline let relay = Relay("Materialize")

  @inlinable @inline(__always)
  init(downstream: Downstream) {
    self.downstream = downstream
  }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    downstream.receive(subscription: relay)
    relay.use(subscription)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if relay.isOver { return .none }
    let more = downstream.receive(.value(input))
    relay.delivered(more)
    return more
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    if relay.isOver { return }
    relay.forget()
    OneValueSubscription.attach(
      RelayTail(downstream: downstream, relay: relay), .completion(completion))
  }
}

extension MaterializeSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "Materialize" }
}
