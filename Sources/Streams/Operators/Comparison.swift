extension Publishers {
  /// What `max` returns.
  public struct Comparison<Upstream: Publisher>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// Whether the second value takes the first one's place.
    public let replaces: @Sendable (Upstream.Output, Upstream.Output) -> Bool

    @inlinable @inline(__always)
    init(
      upstream: Upstream, replaces: @escaping @Sendable (Upstream.Output, Upstream.Output) -> Bool
    ) {
      self.upstream = upstream
      self.replaces = replaces
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: ReduceSubscriber<Upstream.Output, _, S>(
          subscriber, name: "Comparison", initial: nil as Upstream.Output?,
          step: { [replaces] state, value in
            if let best = state, !replaces(best, value) { return true }
            state = value
            return true
          }, result: { $0 }))
    }
  }
}
