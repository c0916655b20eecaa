extension Publisher {
  /// Turns events back into the stream that they tell of; ends where they tell of an end.
  ///
  /// The reverse of `materialize`: fails with the failure that an event tells of. Delivers as the
  /// source does; cancel passes through.
  ///
  /// ```swift
  /// let recorded = [StreamEvent<Int, Never>.value(1), .value(2), .completion(.finished)]
  /// recorded.publisher.dematerialize()  // 1, 2
  /// ```
  @inlinable @inline(__always)
  public func dematerialize<Value: Sendable, E: Error>() -> Publishers.Dematerialize<Self, Value, E>
  where Output == StreamEvent<Value, E>, Failure == Never {
    Publishers.Dematerialize(upstream: self)
  }
}

extension Publishers {
  /// What `dematerialize` returns.
  public struct Dematerialize<Upstream: Publisher, Output: Sendable, Failure: Error>: Publisher
  where Upstream.Output == StreamEvent<Output, Failure>, Upstream.Failure == Never {

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
      upstream.receive(subscriber: DematerializeSubscriber(downstream: subscriber))
    }
  }
}

@usableFromInline
struct DematerializeSubscriber<Downstream: Subscriber>: StoppingSubscriber {
  @usableFromInline typealias Input = StreamEvent<Downstream.Input, Downstream.Failure>
  @usableFromInline typealias Failure = Never

  @usableFromInline let downstream: Downstream
  @usableFromInline let slot = SubscriptionSlot()

  @inlinable @inline(__always)
  init(downstream: Downstream) {
    self.downstream = downstream
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if slot.isOver { return .none }
    switch input {
    case .value(let value): return downstream.receive(value)
    case .completion(let completion):
      if slot.stop() { downstream.receive(completion: completion) }
      return .none
    }
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Never>) {
    if slot.finish() { downstream.receive(completion: .finished) }
  }
}

extension DematerializeSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "Dematerialize" }
}
