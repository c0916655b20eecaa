extension Publisher {
  /// Goes on with another publisher when this one fails.
  ///
  /// Demand that was not met passes to it. Fails and finishes as the other does; delivers where
  /// each sends; cancel stops whichever runs.
  ///
  /// - Parameter handler: Called with the error, once; not when cancelled.
  ///
  /// ```swift
  /// load(url).catch { _ in Just(cover) }
  /// ```
  @inlinable @inline(__always)
  public func `catch`<P: Publisher>(
    _ handler: @escaping @Sendable (Failure) -> P
  ) -> Publishers.Catch<Self, P> where P.Output == Output {
    Publishers.Catch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// What `catch` returns.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// What both publishers send.
    public typealias Output = Upstream.Output
    /// What the second publisher fails with.
    public typealias Failure = NewPublisher.Failure

    /// The first source.
    public let upstream: Upstream
    /// Makes the second source of the first one's error.
    public let handler: @Sendable (Upstream.Failure) -> NewPublisher

    /// A publisher of `upstream` and, where that fails, of what `handler` returns.
    @inlinable @inline(__always)
    public init(
      upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) -> NewPublisher
    ) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let handler = handler
      upstream.receive(
        subscriber: CatchSubscriber<Upstream.Failure, S>(downstream: subscriber) { error, tail in
          handler(error).receive(subscriber: tail)
        })
    }
  }
}

@usableFromInline
struct CatchSubscriber<Failure: Error, Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Input = Downstream.Input

  @usableFromInline let downstream: Downstream
  @usableFromInline let recover: @Sendable (Failure, RelayTail<Downstream>) -> Void
  @usableFromInline let relay = Relay("Catch")

  @inlinable @inline(__always)
  init(
    downstream: Downstream,
    recover: @escaping @Sendable (Failure, RelayTail<Downstream>) -> Void
  ) {
    self.downstream = downstream
    self.recover = recover
  }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    downstream.receive(subscription: relay)
    relay.use(subscription)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if relay.isOver { return .none }
    let more = downstream.receive(input)
    relay.delivered(more)
    return more
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    if relay.isOver { return }
    relay.forget()
    switch completion {
    case .finished: downstream.receive(completion: .finished)
    case .failure(let error):
      let tail = RelayTail(downstream: downstream, relay: relay)
      Trampoline.at(relay.level) {
        Trampoline.run { [recover] in recover(error, tail) }
      }
    }
  }
}

extension CatchSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "Catch" }
}
