extension Publisher {
  /// Drops each value that equals the one before, or fails with what `predicate` throws.
  ///
  /// For each value dropped one more is asked for.
  /// The first error cancels the source. `Failure` is the source's, and the closure throws that
  /// type. Delivers as the source does; cancel stops it.
  ///
  /// ```swift
  /// ["1", "01", "2"].publisher.tryRemoveDuplicates { old, new throws(NoNumber) in
  ///   try number(old) == number(new)
  /// }  // 1, 2
  /// ```
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: @escaping @Sendable (Output, Output) throws(Failure) -> Bool
  ) -> some Publisher<Output, Failure> {
    Deferred {
      // Each subscriber compares with what it was sent last.
      let last = SerialBox<Output?>(nil)
      return self.tryFilter { value throws(Failure) in
        if let last = last.value, try predicate(last, value) { return false }
        last.value = value
        return true
      }
    }
  }

  /// The same for sources that cannot fail: `Failure` is the type that the closure throws.
  @inlinable @inline(__always)
  public func tryRemoveDuplicates<E: Error>(
    by predicate: @escaping @Sendable (Output, Output) throws(E) -> Bool
  ) -> some Publisher<Output, E> where Failure == Never {
    setFailureType(to: E.self).tryRemoveDuplicates(by: predicate)
  }

  /// The same where the source's error and the closure's are of different types: `Failure` is
  /// `any Error`.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func tryRemoveDuplicates(
    by predicate: @escaping @Sendable (Output, Output) throws -> Bool
  ) -> some Publisher<Output, any Error> {
    mapError { $0 as any Error }.tryRemoveDuplicates(by: predicate)
  }
}
