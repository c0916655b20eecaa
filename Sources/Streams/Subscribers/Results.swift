extension Publisher {
  /// The values as an asynchronous sequence that does not throw: a failure is its last element.
  ///
  /// Otherwise as `values`: it asks for one at a time, and leaving the loop cancels
  /// the stream, and values are delivered to the loop's actor.
  ///
  /// ```swift
  /// for await result in load(url).results { print(result) }
  /// ```
  public var results: AsyncPublisher<Result<Output, Failure>, Never> {
    map { Result<Output, Failure>.success($0) }.catch { Just(.failure($0)) }.values
  }
}
