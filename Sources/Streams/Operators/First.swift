extension Publisher {
  /// Passes on the first value that `predicate` accepts and then finishes, cancelling the source.
  ///
  /// For each value refused one more is asked for. Finishes without a value when the source does.
  /// Fails and delivers as the source does; cancel passes through.
  ///
  /// ```swift
  /// (1...).publisher.first { $0 > 5 }  // 6
  /// ```
  @inlinable @inline(__always)
  public func first(where predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.First<Self>
  {
    Publishers.First(upstream: self, predicate: predicate)
  }

  /// Passes on the first value and then finishes, cancelling the source. See `first(where:)`.
  @inlinable @inline(__always)
  public func first() -> Publishers.First<Self> {
    Publishers.First(upstream: self, predicate: { _ in true })
  }
}

extension Publishers {
  /// What `first` returns.
  public struct First<Upstream: Publisher>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// Whether a value is the one wanted.
    public let predicate: @Sendable (Upstream.Output) -> Bool

    @inlinable @inline(__always)
    init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: FirstSubscriber(downstream: subscriber, predicate: predicate))
    }
  }
}

@usableFromInline
struct FirstSubscriber<Input: Sendable, Downstream: Subscriber>: StoppingSubscriber
where Downstream.Input == Input {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let predicate: @Sendable (Input) -> Bool
  @usableFromInline let done = SerialBox(false)
  @usableFromInline let slot = SubscriptionSlot()

  @inlinable @inline(__always)
  init(downstream: Downstream, predicate: @escaping @Sendable (Input) -> Bool) {
    self.downstream = downstream
    self.predicate = predicate
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if done.value || slot.isOver { return .none }
    guard predicate(input) else { return .max(1) }
    done.value = true
    _ = downstream.receive(input)
    if slot.stop() { downstream.receive(completion: .finished) }
    return .none
  }
}

extension FirstSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "First" }
}
