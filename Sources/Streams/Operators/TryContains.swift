extension Publisher {
  /// Tells whether there is a value that `predicate` accepts, or fails with what `predicate`
  /// throws.
  ///
  /// The first value accepted cancels the source. Everything is asked for at once; the answer is
  /// sent once it is asked for. The first error cancels the source. `Failure` is the source's, and
  /// the closure throws that type. Delivers as the source does; cancel stops it.
  ///
  /// ```swift
  /// ["1", "5", "x"].publisher.tryContains { text throws(NoNumber) in
  ///   try number(text) > 3
  /// }  // true
  /// ```
  @inlinable @inline(__always)
  public func tryContains(
    where predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
  ) -> some Publisher<Bool, Failure> {
    tryMap(predicate).contains { $0 }
  }

  /// The same for sources that cannot fail: `Failure` is the type that the closure throws.
  @inlinable @inline(__always)
  public func tryContains<E: Error>(
    where predicate: @escaping @Sendable (Output) throws(E) -> Bool
  ) -> some Publisher<Bool, E> where Failure == Never {
    setFailureType(to: E.self).tryContains(where: predicate)
  }

  /// The same where the source's error and the closure's are of different types: `Failure` is
  /// `any Error`.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func tryContains(
    where predicate: @escaping @Sendable (Output) throws -> Bool
  ) -> some Publisher<Bool, any Error> {
    mapError { $0 as any Error }.tryContains(where: predicate)
  }
}
