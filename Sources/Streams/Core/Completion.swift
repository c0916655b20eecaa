extension Subscribers {
  /// How a stream ended.
  public enum Completion<Failure: Error>: Sendable {
    /// It delivered all it had.
    case finished
    /// It stopped because of an error.
    case failure(Failure)
  }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

extension Subscribers.Completion {
  /// The same ending with the error changed.
  @inlinable
  func mapError<NewFailure: Error>(
    _ transform: (Failure) -> NewFailure
  ) -> Subscribers.Completion<NewFailure> {
    switch self {
    case .finished: .finished
    case .failure(let error): .failure(transform(error))
    }
  }
}
