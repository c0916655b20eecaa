extension Publisher {
  /// Turns each value into another, drops it where `transform` returns nil, or fails with what it
  /// throws.
  ///
  /// For each value dropped one more is asked for. The first error cancels the source. `Failure` is
  /// the source's, and the closure throws that type. Ends and delivers as the source does; cancel
  /// passes through.
  ///
  /// ```swift
  /// ["1", "2", "x"].publisher.tryCompactMap { text throws(NoNumber) in
  ///   let number = try number(text)
  ///   return number > 1 ? number : nil
  /// }  // 2, failure
  /// ```
  @inlinable @inline(__always)
  public func tryCompactMap<T: Sendable>(
    _ transform: @escaping @Sendable (Output) throws(Failure) -> T?
  ) -> Publishers.CompactMap<Publishers.TryMap<Self, T?, Failure>, T> {
    tryMap(transform).compactMap { $0 }
  }

  /// The same for sources that cannot fail: `Failure` is the type that the closure throws.
  @inlinable @inline(__always)
  public func tryCompactMap<T: Sendable, E: Error>(
    _ transform: @escaping @Sendable (Output) throws(E) -> T?
  ) -> Publishers.CompactMap<Publishers.TryMap<Self, T?, E>, T> where Failure == Never {
    tryMap(transform).compactMap { $0 }
  }

  /// The same where the source's error and the closure's are of different types: `Failure` is
  /// `any Error`.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func tryCompactMap<T: Sendable>(
    _ transform: @escaping @Sendable (Output) throws -> T?
  ) -> some Publisher<T, any Error> {
    mapError { $0 as any Error }.tryCompactMap(transform)
  }
}
