extension Publisher {
  /// Combines all values into one.
  ///
  /// Sends its result when the source finishes, once it is asked for. Everything is asked for at
  /// once. Delivers on the thread that ends the source, or that asks later. Fails as the source
  /// does; cancel stops it.
  ///
  /// ```swift
  /// (1...3).publisher.reduce(0, +)  // 6
  /// ```
  @inlinable @inline(__always)
  public func reduce<T: Sendable>(
    _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
  ) -> Publishers.Reduce<Self, T> {
    Publishers.Reduce(
      upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// What `reduce` returns.
  public struct Reduce<Upstream: Publisher, Output: Sendable>: Publisher {
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// Combined with the first value.
    public let initialResult: Output
    /// Called once per value.
    public let nextPartialResult: @Sendable (Output, Upstream.Output) -> Output

    @inlinable @inline(__always)
    init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping @Sendable (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: ReduceSubscriber<Upstream.Output, _, S>(
          subscriber, name: "Reduce", initial: initialResult,
          step: { [nextPartialResult] state, value in
            state = nextPartialResult(state, value)
            return true
          }, result: { $0 }))
    }
  }
}
