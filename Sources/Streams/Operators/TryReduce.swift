extension Publisher {
  /// Combines all values into one, or fails with what the closure throws.
  ///
  /// Sends its result when the source finishes, once it is asked for. Everything is asked for at
  /// once. The first error cancels the source. `Failure` is the source's, and the closure throws
  /// that type. Delivers as the source does; cancel stops it.
  ///
  /// ```swift
  /// ["1", "2"].publisher.tryReduce(0) { sum, text throws(NoNumber) in
  ///   try sum + number(text)
  /// }  // 3
  /// ```
  @inlinable
  public func tryReduce<T: Sendable>(
    _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws(Failure) -> T
  ) -> some Publisher<T, Failure> {
    tryScan(initialResult, nextPartialResult).last().replaceEmpty(with: initialResult)
  }

  /// The same for sources that cannot fail: `Failure` is the type that the closure throws.
  @inlinable @inline(__always)
  public func tryReduce<T: Sendable, E: Error>(
    _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws(E) -> T
  ) -> some Publisher<T, E> where Failure == Never {
    setFailureType(to: E.self).tryReduce(initialResult, nextPartialResult)
  }

  /// The same where the source's error and the closure's are of different types: `Failure` is
  /// `any Error`.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func tryReduce<T: Sendable>(
    _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T
  ) -> some Publisher<T, any Error> {
    mapError { $0 as any Error }.tryReduce(initialResult, nextPartialResult)
  }
}
