extension Publisher {
  /// Turns each value into another, drops it where `transform` returns nil, or fails with what it throws.
  ///
  /// The first error cancels the source. `Failure` is the source's; the closure throws that type.
  ///
  /// ```swift
  /// lines.tryCompactMap { line throws(ParseError) in try parse(line) }
  /// ```
  @inlinable @inline(__always)
  public func tryCompactMap<T: Sendable>(
    _ transform: @escaping @Sendable (Output) throws(Failure) -> T?
  ) -> Publishers.CompactMap<Publishers.TryMap<Self, T?, Failure>, T> {
    tryMap(transform).compactMap { $0 }
  }

  /// Turns each value into another, drops it, or fails with what `transform` throws, for sources that
  /// cannot fail.
  @inlinable @inline(__always)
  public func tryCompactMap<T: Sendable, E: Error>(
    _ transform: @escaping @Sendable (Output) throws(E) -> T?
  ) -> Publishers.CompactMap<Publishers.TryMap<Self, T?, E>, T> where Failure == Never {
    tryMap(transform).compactMap { $0 }
  }

  /// Passes on the values that `isIncluded` accepts, or fails with what it throws.
  ///
  /// The first error cancels the source. `Failure` is the source's; the closure throws that type.
  @inlinable @inline(__always)
  public func tryFilter(
    _ isIncluded: @escaping @Sendable (Output) throws(Failure) -> Bool
  ) -> Publishers.CompactMap<Publishers.TryMap<Self, Output?, Failure>, Output> {
    tryCompactMap { value throws(Failure) in try isIncluded(value) ? value : nil }
  }

  /// Passes on the values that `isIncluded` accepts, or fails with what it throws, for sources that
  /// cannot fail.
  @inlinable @inline(__always)
  public func tryFilter<E: Error>(
    _ isIncluded: @escaping @Sendable (Output) throws(E) -> Bool
  ) -> Publishers.CompactMap<Publishers.TryMap<Self, Output?, E>, Output>
  where Failure == Never {
    tryCompactMap { value throws(E) in try isIncluded(value) ? value : nil }
  }
}
