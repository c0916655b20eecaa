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

  /// Sends the largest value; none when there is none. See `max(by:)`.
  @inlinable @inline(__always)
  public func max() -> Publishers.Comparison<Self> where Output: Comparable {
    Publishers.Comparison(upstream: self, replaces: { $0 < $1 })
  }
}
