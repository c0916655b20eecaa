extension Publisher {
  /// Passes on the last value that `predicate` accepts, or fails with what `predicate` throws.
  ///
  /// Sends it when the source finishes, once it is asked for; nothing when there is none.
  /// Everything is asked for at once. The first error cancels the source. `Failure` is the
  /// source's, and the closure throws that type. Delivers as the source does; cancel stops it.
  ///
  /// ```swift
  /// ["1", "5", "7"].publisher.tryLast { text throws(NoNumber) in try number(text) < 6 }  // 5
  /// ```
  @inlinable @inline(__always)
  public func tryLast(
    where predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
  ) -> some Publisher<Output, Failure> {
    tryFilter(predicate).last()
  }

  /// The same for sources that cannot fail: `Failure` is the type that the closure throws.
  @inlinable @inline(__always)
  public func tryLast<E: Error>(
    where predicate: @escaping @Sendable (Output) throws(E) -> Bool
  ) -> some Publisher<Output, E> where Failure == Never {
    setFailureType(to: E.self).tryLast(where: predicate)
  }

  /// The same where the source's error and the closure's are of different types: `Failure` is
  /// `any Error`.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func tryLast(
    where predicate: @escaping @Sendable (Output) throws -> Bool
  ) -> some Publisher<Output, any Error> {
    mapError { $0 as any Error }.tryLast(where: predicate)
  }
}
