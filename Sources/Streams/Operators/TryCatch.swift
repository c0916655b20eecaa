extension Publisher {
  /// Goes on with another publisher when this one fails, or fails with what `handler` throws.
  ///
  /// Otherwise as `catch`: cancel stops whichever runs. The handler throws the other publisher's
  /// type of error.
  ///
  /// ```swift
  /// load(url).tryCatch { error throws(LoadError) in
  ///   guard error.isMissing else { throw error }
  ///   return load(fallback)
  /// }
  /// ```
  @inlinable
  public func tryCatch<P: Publisher>(
    _ handler: @escaping @Sendable (Failure) throws(P.Failure) -> P
  ) -> Publishers.Catch<Self, AnyPublisher<Output, P.Failure>> where P.Output == Output {
    self.catch { error -> AnyPublisher<Output, P.Failure> in
      do throws(P.Failure) {
        return try handler(error).eraseToAnyPublisher()
      } catch {
        return Fail(error: error).eraseToAnyPublisher()
      }
    }
  }

  /// The same where the handler's error and the other publisher's are of different types: `Failure`
  /// is `any Error`.
  @inlinable
  @_disfavoredOverload
  public func tryCatch<P: Publisher>(
    _ handler: @escaping @Sendable (Failure) throws -> P
  ) -> some Publisher<Output, any Error> where P.Output == Output {
    tryCatch { error throws(any Error) in try handler(error).mapError { $0 as any Error } }
  }
}
