extension Publisher {
  /// Collects all values into one array.
  ///
  /// Sends its result when the source finishes, once it is asked for. Everything is asked for at
  /// once. Delivers on the thread that ends the source, or that asks later. Fails as the source
  /// does; cancel stops it.
  ///
  /// ```swift
  /// (1...3).publisher.collect()  // [1, 2, 3]
  /// ```
  @inlinable @inline(__always)
  public func collect() -> Publishers.Collect<Self> {
    Publishers.Collect(upstream: self)
  }
}

extension Publishers {
  /// What `collect` returns.
  public struct Collect<Upstream: Publisher>: Publisher {
    /// All the source's values.
    public typealias Output = [Upstream.Output]
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
          subscriber, name: "Collect", initial: [Upstream.Output](),
          step: { state, value in
            state.append(value)
            return true
          }, result: { $0 }))
    }
  }
}
