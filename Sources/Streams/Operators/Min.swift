extension Publisher {
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
