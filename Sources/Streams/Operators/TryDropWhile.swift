extension Publisher {
  /// Drops values until one comes that `predicate` refuses; that and all later ones pass. Fails
  /// with what `predicate` throws.
  ///
  /// For each value dropped one more is asked for.
  /// The first error cancels the source. `Failure` is the source's, and the closure throws that
  /// type. Delivers as the source does; cancel stops it.
  ///
  /// ```swift
  /// ["1", "5", "x"].publisher.tryDrop { text throws(NoNumber) in try number(text) < 3 }  // 5, x
  /// ```
  @inlinable
  public func tryDrop(
    while predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
  ) -> some Publisher<Output, Failure> {
    Deferred {
      let isDropping = SerialBox(true)
      return self.tryFilter { value throws(Failure) in
        if isDropping.value { isDropping.value = try predicate(value) }
        return !isDropping.value
      }
    }
  }

  /// The same for sources that cannot fail: `Failure` is the type that the closure throws.
  @inlinable @inline(__always)
  public func tryDrop<E: Error>(
    while predicate: @escaping @Sendable (Output) throws(E) -> Bool
  ) -> some Publisher<Output, E> where Failure == Never {
    setFailureType(to: E.self).tryDrop(while: predicate)
  }

  /// The same where the source's error and the closure's are of different types: `Failure` is
  /// `any Error`.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func tryDrop(
    while predicate: @escaping @Sendable (Output) throws -> Bool
  ) -> some Publisher<Output, any Error> {
    mapError { $0 as any Error }.tryDrop(while: predicate)
  }
}
