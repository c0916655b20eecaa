extension Publisher {
  /// Tells whether `predicate` accepts all values, or fails with what `predicate` throws.
  ///
  /// The first value refused cancels the source. Everything is asked for at once; the answer is
  /// sent once it is asked for. The first error cancels the source. `Failure` is the source's, and
  /// the closure throws that type. Delivers as the source does; cancel stops it.
  ///
  /// ```swift
  /// ["1", "5"].publisher.tryAllSatisfy { text throws(NoNumber) in try number(text) > 3 }  // false
  /// ```
  @inlinable @inline(__always)
  public func tryAllSatisfy(
    _ predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
  ) -> some Publisher<Bool, Failure> {
    tryMap(predicate).allSatisfy { $0 }
  }

  /// The same for sources that cannot fail: `Failure` is the type that the closure throws.
  @inlinable @inline(__always)
  public func tryAllSatisfy<E: Error>(
    _ predicate: @escaping @Sendable (Output) throws(E) -> Bool
  ) -> some Publisher<Bool, E> where Failure == Never {
    setFailureType(to: E.self).tryAllSatisfy(predicate)
  }

  /// The same where the source's error and the closure's are of different types: `Failure` is
  /// `any Error`.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func tryAllSatisfy(
    _ predicate: @escaping @Sendable (Output) throws -> Bool
  ) -> some Publisher<Bool, any Error> {
    mapError { $0 as any Error }.tryAllSatisfy(predicate)
  }
}
