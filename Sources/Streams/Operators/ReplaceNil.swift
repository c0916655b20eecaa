extension Publisher {
  /// Sends `output` in place of each nil.
  ///
  /// Fails, ends and delivers as the source does; cancel passes through.
  ///
  /// ```swift
  /// ["1", "x"].publisher.map { Int($0) }.replaceNil(with: 0)  // 1, 0
  /// ```
  @inlinable @inline(__always)
  public func replaceNil<T: Sendable>(with output: T) -> Publishers.Map<Self, T>
  where Output == T? {
    map { $0 ?? output }
  }
}
