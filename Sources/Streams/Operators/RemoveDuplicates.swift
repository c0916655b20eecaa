extension Publisher {
  /// Drops each value that equals the one before, as `predicate` sees it.
  ///
  /// For each value dropped one more is asked for. Fails, ends and delivers as the source does;
  /// cancel passes through.
  ///
  /// ```swift
  /// [1, 1, 2, 1].publisher.removeDuplicates { $0 == $1 }  // 1, 2, 1
  /// ```
  @inlinable @inline(__always)
  public func removeDuplicates(by predicate: @escaping @Sendable (Output, Output) -> Bool)
    -> Publishers.RemoveDuplicates<Self>
  {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }

  /// Drops each value that equals the one before. See `removeDuplicates(by:)`.
  @inlinable @inline(__always)
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> where Output: Equatable {
    Publishers.RemoveDuplicates(upstream: self, predicate: { $0 == $1 })
  }
}

extension Publishers {
  /// What `removeDuplicates` returns.
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// Whether two values are the same.
    public let predicate: @Sendable (Upstream.Output, Upstream.Output) -> Bool

    @inlinable @inline(__always)
    init(
      upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output, Upstream.Output) -> Bool
    ) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: RemoveDuplicatesSubscriber(downstream: subscriber, predicate: predicate))
    }
  }
}

@usableFromInline
struct RemoveDuplicatesSubscriber<Input: Sendable, Downstream: Subscriber>: RelaySubscriber
where Downstream.Input == Input {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let predicate: @Sendable (Input, Input) -> Bool
  @usableFromInline let last = SerialBox<Input?>(nil)

  @inlinable @inline(__always)
  init(downstream: Downstream, predicate: @escaping @Sendable (Input, Input) -> Bool) {
    self.downstream = downstream
    self.predicate = predicate
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if let last = last.value, predicate(last, input) { return .max(1) }
    last.value = input
    return downstream.receive(input)
  }
}

extension RemoveDuplicatesSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "RemoveDuplicates" }
}
