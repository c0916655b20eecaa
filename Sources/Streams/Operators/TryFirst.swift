extension Publisher {
  /// Passes on the first value that `predicate` accepts and then finishes, cancelling the source.
  /// Fails with what `predicate` throws.
  ///
  /// For each value refused one more is asked for. Finishes without a value when the source does.
  /// The first error cancels the source. `Failure` is the source's, and the closure throws that
  /// type. Delivers as the source does; cancel stops it.
  ///
  /// ```swift
  /// ["1", "5", "x"].publisher.tryFirst { text throws(NoNumber) in try number(text) > 3 }  // 5
  /// ```
  @inlinable @inline(__always)
  public func tryFirst(
    where predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
  ) -> some Publisher<Output, Failure> {
    tryFilter(predicate).first()
  }

  /// The same for sources that cannot fail: `Failure` is the type that the closure throws.
  @inlinable @inline(__always)
  public func tryFirst<E: Error>(
    where predicate: @escaping @Sendable (Output) throws(E) -> Bool
  ) -> some Publisher<Output, E> where Failure == Never {
    setFailureType(to: E.self).tryFirst(where: predicate)
  }

  /// The same where the source's error and the closure's are of different types: `Failure` is
  /// `any Error`.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func tryFirst(
    where predicate: @escaping @Sendable (Output) throws -> Bool
  ) -> some Publisher<Output, any Error> {
    mapError { $0 as any Error }.tryFirst(where: predicate)
  }
}
