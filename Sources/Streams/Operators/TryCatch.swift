extension Publisher {
  /// Goes on with another publisher when this one fails, or fails with what `handler` throws.
  ///
  /// Otherwise as `catch`. The handler throws the other publisher's type of error.
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
}
