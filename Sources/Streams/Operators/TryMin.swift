extension Publisher {
  /// Sends the smallest value as `areInIncreasingOrder` sees it, or fails with what that throws.
  ///
  /// Sends its result when the source finishes, once it is asked for; none when there were no
  /// values. Everything is asked for at once. The first error cancels the source. `Failure` is the
  /// source's, and the closure throws that type. Delivers as the source does; cancel stops it.
  ///
  /// ```swift
  /// ["5", "10"].publisher.tryMin { a, b throws(NoNumber) in try number(a) < number(b) }  // 5
  /// ```
  @inlinable
  public func tryMin(
    by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws(Failure) -> Bool
  ) -> some Publisher<Output, Failure> {
    tryReduce(nil as Output?) { best, value throws(Failure) in
      guard let best else { return value }
      return try areInIncreasingOrder(value, best) ? value : best
    }.compactMap { $0 }
  }

  /// The same for sources that cannot fail: `Failure` is the type that the closure throws.
  @inlinable @inline(__always)
  public func tryMin<E: Error>(
    by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws(E) -> Bool
  ) -> some Publisher<Output, E> where Failure == Never {
    setFailureType(to: E.self).tryMin(by: areInIncreasingOrder)
  }

  /// The same where the source's error and the closure's are of different types: `Failure` is
  /// `any Error`.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func tryMin(
    by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws -> Bool
  ) -> some Publisher<Output, any Error> {
    mapError { $0 as any Error }.tryMin(by: areInIncreasingOrder)
  }
}
