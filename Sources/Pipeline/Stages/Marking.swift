import Flow

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Notes the time at which a load's picture comes by here, complete in what it is so far.
  func marking(
    _ moment: WritableKeyPath<LoadMoments, ContinuousClock.Instant?> & Sendable
  ) -> Publishers.Map<Self, LoadEvent> {
    map { event in
      switch event {
      case .request(var request):
        request.timeline.moments[keyPath: moment] = .now
        return .request(request)
      case .encoded(let encoded, var request) where encoded.isComplete:
        request.timeline.moments[keyPath: moment] = .now
        return .encoded(encoded, for: request)
      case .image(var loaded):
        loaded.metrics.moments[keyPath: moment] = .now
        return .image(loaded)
      case .progress, .preview, .encoded: return event
      }
    }
  }
}
