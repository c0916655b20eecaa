extension Result where Success: Sendable {
  /// Sends the value to each subscriber that asks, and finishes; or fails with the error.
  ///
  /// Delivers on the thread that asks. Cancelling before asking leaves the value unsent.
  ///
  /// ```swift
  /// Result { try number("x") }.publisher  // failure
  /// ```
  @inlinable @inline(__always)
  public var publisher: Publishers.OfResult<Success, Failure> { Publishers.OfResult(result: self) }
}

extension Publishers {
  /// What `publisher` of a `Result` returns.
  public struct OfResult<Output: Sendable, Failure: Error>: Publisher {
    /// What it tells.
    public let result: Result<Output, Failure>

    @inlinable @inline(__always)
    init(result: Result<Output, Failure>) { self.result = result }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      switch result {
      case .success(let value): OneValueSubscription.attach(subscriber, value)
      case .failure(let error): subscriber.end(with: .failure(error))
      }
    }
  }
}

extension Publishers.OfResult: Equatable where Output: Equatable, Failure: Equatable {}
