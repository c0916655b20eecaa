import Flow

extension AnyPublisher where Output == LoadEvent, Failure == LoadError {
  /// One event, then the end.
  static func event(_ event: LoadEvent) -> Self {
    Just(event).setFailureType(to: LoadError.self).eraseToAnyPublisher()
  }

  /// The end at once.
  static var nothing: Self {
    Empty(outputType: LoadEvent.self, failureType: LoadError.self).eraseToAnyPublisher()
  }

  /// The failure at once.
  static func failure(_ error: LoadError) -> Self {
    Fail(outputType: LoadEvent.self, failure: error).eraseToAnyPublisher()
  }
}

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Lets `answer` take the place of requests, and passes all other events on.
  ///
  /// What passes each event is not generic over the chain before and behind it: a chain put
  /// together in another module would look its types up at run time, for every event.
  func answerRequests<S: Subscriber>(
    to subscriber: S,
    _ answer: @escaping @Sendable (ImageRequest) -> AnyPublisher<LoadEvent, LoadError>
  ) where S.Input == LoadEvent, S.Failure == LoadError {
    eraseToAnyPublisher().answerRequests(to: AnySubscriber(subscriber), answer)
  }
}

extension AnyPublisher where Output == LoadEvent, Failure == LoadError {
  @inline(never)
  fileprivate func answerRequests(
    to subscriber: AnySubscriber<LoadEvent, LoadError>,
    _ answer: @escaping @Sendable (ImageRequest) -> AnyPublisher<LoadEvent, LoadError>
  ) {
    flatMap(maxPublishers: .max(1)) { event -> AnyPublisher<LoadEvent, LoadError> in
      guard case .request(let request) = event else { return .event(event) }
      return answer(request)
    }.receive(subscriber: subscriber)
  }
}

extension ImageRequest {
  /// The same request with the time since `start` added to one of its measurements.
  func measuring(
    _ part: WritableKeyPath<LoadMetrics, Duration?>, since start: ContinuousClock.Instant
  ) -> ImageRequest {
    var request = self
    request.timeline[keyPath: part] =
      (request.timeline[keyPath: part] ?? .zero) + start.duration(to: .now)
    return request
  }
}
