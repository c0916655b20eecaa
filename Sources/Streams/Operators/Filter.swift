extension Publisher {
  /// Passes on only the values that `isIncluded` accepts.
  ///
  /// For each value dropped one more is asked for. Fails, ends and delivers as the source does;
  /// cancel passes through.
  ///
  /// ```swift
  /// (1...4).publisher.filter { $0 % 2 == 0 }  // 2, 4
  /// ```
  @inlinable @inline(__always)
  public func filter(
    _ isIncluded: @escaping @Sendable (Output) -> Bool
  ) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// What `filter` returns.
  public struct Filter<Upstream: Publisher>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// Called once per value.
    public let isIncluded: @Sendable (Upstream.Output) -> Bool

    /// A publisher of those of `upstream`'s values that `isIncluded` accepts.
    @inlinable @inline(__always)
    public init(upstream: Upstream, isIncluded: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: FilterSubscriber(downstream: subscriber, isIncluded: isIncluded))
    }
  }
}

@usableFromInline
struct FilterSubscriber<Input: Sendable, Downstream: Subscriber>: RelaySubscriber
where Downstream.Input == Input {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let isIncluded: @Sendable (Input) -> Bool

  @inlinable @inline(__always)
  init(downstream: Downstream, isIncluded: @escaping @Sendable (Input) -> Bool) {
    self.downstream = downstream
    self.isIncluded = isIncluded
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    isIncluded(input) ? downstream.receive(input) : .max(1)
  }
}

extension FilterSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "Filter" }
}
