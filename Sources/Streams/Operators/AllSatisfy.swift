extension Publisher {
  /// Tells whether `predicate` accepts all values; the first one that it refuses cancels the
  /// source.
  ///
  /// Sends its result when the source finishes, once it is asked for. Everything is asked for at
  /// once. Delivers on the thread that ends the source, or that asks later. Fails as the source
  /// does; cancel stops it.
  ///
  /// ```swift
  /// (1...3).publisher.allSatisfy { $0 > 0 }  // true
  /// ```
  @inlinable @inline(__always)
  public func allSatisfy(_ predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.AllSatisfy<Self>
  {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// What `allSatisfy` returns.
  public struct AllSatisfy<Upstream: Publisher>: Publisher {
    /// Whether all values were accepted.
    public typealias Output = Bool
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// What each value is to satisfy.
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
          subscriber, name: "AllSatisfy", initial: true,
          step: { [predicate] state, value in
            state = predicate(value)
            return state
          }, result: { $0 }))
    }
  }
}
