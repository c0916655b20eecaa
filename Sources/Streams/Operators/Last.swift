extension Publisher {
  /// Sends the last of the values that `predicate` accepts; none when there is none.
  ///
  /// Sends its result when the source finishes, once it is asked for. Everything is asked for at
  /// once. Delivers on the thread that ends the source, or that asks later. Fails as the source
  /// does; cancel stops it.
  ///
  /// ```swift
  /// (1...9).publisher.last { $0 < 5 }  // 4
  /// ```
  @inlinable @inline(__always)
  public func last(where predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.Last<Self> {
    Publishers.Last(upstream: self, predicate: predicate)
  }

  /// Sends the last value; none when there is none. See `last(where:)`.
  @inlinable @inline(__always)
  public func last() -> Publishers.Last<Self> {
    Publishers.Last(upstream: self, predicate: { _ in true })
  }
}

extension Publishers {
  /// What `last` returns.
  public struct Last<Upstream: Publisher>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// Whether a value may be the one wanted.
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
          subscriber, name: "Last", initial: nil as Upstream.Output?,
          step: { [predicate] state, value in
            if predicate(value) { state = value }
            return true
          }, result: { $0 }))
    }
  }
}
