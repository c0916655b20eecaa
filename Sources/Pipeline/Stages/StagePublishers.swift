import Flow

extension AnyPublisher where Output == LoadEvent, Failure == LoadError {
  /// One event, then the end.
  static func event(_ event: LoadEvent) -> Self {
    OneEvent(event: event).eraseToAnyPublisher()
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
