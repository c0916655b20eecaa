extension Publisher {
  /// Tells whether `predicate` accepts any value; the first one that it accepts cancels the source.
  ///
  /// Sends its result when the source finishes, once it is asked for. Everything is asked for at
  /// once. Delivers on the thread that ends the source, or that asks later. Fails as the source
  /// does; cancel stops it.
  ///
  /// ```swift
  /// (1...).publisher.contains { $0 == 3 }  // true
  /// ```
  @inlinable @inline(__always)
  public func contains(where predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.Contains<Self>
  {
    Publishers.Contains(upstream: self, predicate: predicate)
  }

  /// Tells whether `output` comes. See `contains(where:)`.
  @inlinable @inline(__always)
  public func contains(_ output: Output) -> Publishers.Contains<Self> where Output: Equatable {
    Publishers.Contains(upstream: self, predicate: { $0 == output })
  }
}

extension Publishers {
  /// What `contains` returns.
  public struct Contains<Upstream: Publisher>: Publisher {
    /// Whether the value came.
    public typealias Output = Bool
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
      upstream.receive(
        subscriber: ReduceSubscriber<Upstream.Output, _, S>(
          subscriber, name: "Contains", initial: false,
          step: { [predicate] state, value in
            state = predicate(value)
            return !state
          }, result: { $0 }))
    }
  }
}
