extension Publisher {
  /// Passes on the values that `isIncluded` accepts, or fails with what it throws.
  ///
  /// For each value refused one more is asked for. The first error cancels the source. `Failure` is
  /// the source's, and the closure throws that type. Ends and delivers as the source does; cancel
  /// passes through.
  ///
  /// ```swift
  /// ["2", "3", "x"].publisher.tryFilter { text throws(NoNumber) in
  ///   try number(text) > 2
  /// }  // 3, failure
  /// ```
  @inlinable @inline(__always)
  public func tryFilter(
    _ isIncluded: @escaping @Sendable (Output) throws(Failure) -> Bool
  ) -> Publishers.CompactMap<Publishers.TryMap<Self, Output?, Failure>, Output> {
    tryCompactMap { value throws(Failure) in try isIncluded(value) ? value : nil }
  }

  /// The same for sources that cannot fail: `Failure` is the type that the closure throws.
  @inlinable @inline(__always)
  public func tryFilter<E: Error>(
    _ isIncluded: @escaping @Sendable (Output) throws(E) -> Bool
  ) -> Publishers.CompactMap<Publishers.TryMap<Self, Output?, E>, Output>
  where Failure == Never {
    tryCompactMap { value throws(E) in try isIncluded(value) ? value : nil }
  }

  /// The same where the source's error and the closure's are of different types: `Failure` is
  /// `any Error`.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func tryFilter(
    _ isIncluded: @escaping @Sendable (Output) throws -> Bool
  ) -> some Publisher<Output, any Error> {
    mapError { $0 as any Error }.tryFilter(isIncluded)
  }
}
