extension Publisher {
  /// Passes values on until one comes that `predicate` refuses; then finishes, cancelling the
  /// source. Fails with what `predicate` throws.
  ///
  /// The source is asked for as much as is demanded.
  /// The first error cancels the source. `Failure` is the source's, and the closure throws that
  /// type. Delivers as the source does; cancel stops it.
  ///
  /// ```swift
  /// ["1", "5", "x"].publisher.tryPrefix { text throws(NoNumber) in try number(text) < 3 }  // 1
  /// ```
  @inlinable @inline(__always)
  public func tryPrefix(
    while predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
  ) -> some Publisher<Output, Failure> {
    tryMap { value throws(Failure) -> Output? in try predicate(value) ? value : nil }
      .prefix { $0 != nil }.compactMap { $0 }
  }

  /// The same for sources that cannot fail: `Failure` is the type that the closure throws.
  @inlinable @inline(__always)
  public func tryPrefix<E: Error>(
    while predicate: @escaping @Sendable (Output) throws(E) -> Bool
  ) -> some Publisher<Output, E> where Failure == Never {
    setFailureType(to: E.self).tryPrefix(while: predicate)
  }

  /// The same where the source's error and the closure's are of different types: `Failure` is
  /// `any Error`.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func tryPrefix(
    while predicate: @escaping @Sendable (Output) throws -> Bool
  ) -> some Publisher<Output, any Error> {
    mapError { $0 as any Error }.tryPrefix(while: predicate)
  }
}
