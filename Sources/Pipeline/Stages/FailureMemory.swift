import Flow

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Fails requests whose source failed for good a short while ago, unless they say to ask again.
  ///
  /// Put it before the download stage, and `noting(failuresIn:)` behind the decode stage.
  func refusing(failuresIn failures: FailedSources?) -> AnyPublisher<LoadEvent, LoadError> {
    guard let failures else { return eraseToAnyPublisher() }
    return requestsAnswered { request in
      guard !request.caching.retriesFailed, let failure = failures.failure(for: request) else {
        return .event(.request(request))
      }
      // Who has his image already need not hear of what was to be done for the cache.
      return request.course.revalidation?.purpose == .upkeep ? .nothing : .failure(failure)
    }
  }

  /// Remembers how loads of `request` fail, and forgets it when one succeeds.
  func noting(
    failuresIn failures: FailedSources?, of request: ImageRequest
  ) -> AnyPublisher<LoadEvent, LoadError> {
    guard let failures else { return eraseToAnyPublisher() }
    return handleEvents(
      receiveOutput: { event in
        if case .image(let loaded) = event, loaded.origin == .network {
          failures.forget(RequestKeys(request))
        }
      },
      receiveCompletion: { completion in
        if case .failure(let error) = completion { failures.note(error, for: request) }
      }
    ).eraseToAnyPublisher()
  }
}
