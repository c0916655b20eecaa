extension Publisher {
  /// Sends `output` and finishes where this publisher would fail.
  ///
  /// The replacement waits until it is asked for. Delivers as the source does; cancel passes
  /// through.
  ///
  /// ```swift
  /// ["1", "x"].publisher.tryMap(number).replaceError(with: 0)  // 1, 0
  /// ```
  @inlinable @inline(__always)
  public func replaceError(with output: Output) -> Publishers.Catch<Self, Just<Output>> {
    Publishers.Catch(upstream: self) { _ in Just(output) }
  }
}
