extension Publisher {
  /// Sends the largest value as `areInIncreasingOrder` sees it; none when there is none.
  ///
  /// Sends its result when the source finishes, once it is asked for. Everything is asked for at
  /// once. Delivers on the thread that ends the source, or that asks later. Fails as the source
  /// does; cancel stops it.
  ///
  /// ```swift
  /// [2, 3, 1].publisher.max { $0 < $1 }  // 3
  /// ```
  @inlinable @inline(__always)
  public func max(by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool)
    -> Publishers.Comparison<Self>
  {
    Publishers.Comparison(upstream: self, replaces: areInIncreasingOrder)
  }

  /// Sends the smallest value as `areInIncreasingOrder` sees it; none when there is none.
  ///
  /// Asks, fails and delivers as `max(by:)` does; cancel stops the source.
  ///
  /// ```swift
  /// ["ccc", "a", "bb"].publisher.min { $0.count < $1.count }  // a
  /// ```
  @inlinable @inline(__always)
  public func min(by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool)
    -> Publishers.Comparison<Self>
  {
    Publishers.Comparison(upstream: self, replaces: { areInIncreasingOrder($1, $0) })
  }

  /// Sends the largest value; none when there is none. See `max(by:)`.
  @inlinable @inline(__always)
  public func max() -> Publishers.Comparison<Self> where Output: Comparable {
    Publishers.Comparison(upstream: self, replaces: { $0 < $1 })
  }

  /// Sends the smallest value; none when there is none. See `max(by:)`.
  ///
  /// ```swift
  /// [2, 3, 1].publisher.min()  // 1
  /// ```
  @inlinable @inline(__always)
  public func min() -> Publishers.Comparison<Self> where Output: Comparable {
    Publishers.Comparison(upstream: self, replaces: { $0 > $1 })
  }
}

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
