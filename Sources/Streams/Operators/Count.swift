extension Publisher {
  /// Counts the values.
  ///
  /// Sends its result when the source finishes, once it is asked for. Everything is asked for at
  /// once. Delivers on the thread that ends the source, or that asks later. Fails as the source
  /// does; cancel stops it.
  ///
  /// ```swift
  /// "abc".publisher.count()  // 3
  /// ```
  @inlinable @inline(__always)
  public func count() -> Publishers.Count<Self> {
    Publishers.Count(upstream: self)
  }
}

extension Publishers {
  /// What `count` returns.
  public struct Count<Upstream: Publisher>: Publisher {
    /// How many values came.
    public typealias Output = Int
    /// The source's.
    public typealias Failure = Upstream.Failure

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
      upstream.receive(
        subscriber: ReduceSubscriber<Upstream.Output, _, S>(
          subscriber, name: "Count", initial: 0,
          step: { state, _ in
            state += 1
            return true
          }, result: { $0 }))
    }
  }
}
