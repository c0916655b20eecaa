extension Publisher {
  /// Combines each value with what came of the ones before, or fails with what the closure throws.
  ///
  /// The first error cancels the source. `Failure` is the source's, and the closure throws that
  /// type. Ends and delivers as the source does; cancel passes through.
  ///
  /// ```swift
  /// ["1", "2", "x"].publisher.tryScan(0) { sum, text throws(NoNumber) in
  ///   try sum + number(text)
  /// }  // 1, 3, failure
  /// ```
  @inlinable
  public func tryScan<T: Sendable>(
    _ initialResult: T,
    _ nextPartialResult: @escaping @Sendable (T, Output) throws(Failure) -> T
  ) -> Deferred<Publishers.TryMap<Self, T, Failure>> {
    Deferred {
      // Each subscriber has its own result.
      let result = SerialBox(initialResult)
      return self.tryMap { value throws(Failure) in
        result.value = try nextPartialResult(result.value, value)
        return result.value
      }
    }
  }

  /// Combines each value with what came of the ones before, or fails with what the closure throws,
  /// for sources that cannot fail.
  @inlinable
  public func tryScan<T: Sendable, E: Error>(
    _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws(E) -> T
  ) -> Deferred<Publishers.TryMap<Self, T, E>> where Failure == Never {
    Deferred {
      let result = SerialBox(initialResult)
      return self.tryMap { value throws(E) in
        result.value = try nextPartialResult(result.value, value)
        return result.value
      }
    }
  }

  /// The same where the source's error and the closure's are of different types: `Failure` is
  /// `any Error`.
  @inlinable
  @_disfavoredOverload
  public func tryScan<T: Sendable>(
    _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T
  ) -> some Publisher<T, any Error> {
    mapError { $0 as any Error }.tryScan(initialResult, nextPartialResult)
  }
}
