import Flow

/// Stretches of chains that are running, by what they make: where equal loads meet.
typealias RunningStretches = SharedWork<StretchKey, LoadEvent, LoadError>

extension RunningStretches {
  /// A place for stretches, none of which runs yet.
  convenience init() { self.init { $0.kind } }
}

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Answers requests by a stretch of stages that all equal requests share while it runs.
  ///
  /// Who joins late gets the latest event of each kind at once; the last to leave stops the stretch.
  /// The requests in it are as urgent as the most urgent of those who share it.
  func sharing<Stretch: Publisher>(
    by key: @escaping @Sendable (RequestKeys) -> String, in running: RunningStretches,
    _ stretch: @escaping @Sendable (Load) -> Stretch
  ) -> some Publisher<LoadEvent, LoadError>
  where Stretch.Output == LoadEvent, Stretch.Failure == LoadError {
    requestsAnswered { request in
      .events(
        running
          .publisher(for: StretchKey(request, key), urgency: request.urgency) {
            stretch(Load(request.following($0)))
          }
          .map { $0.answering(request) }
          .eraseToAnyPublisher())
    }
  }
}

/// Loads share when they make the same, by the same decode of the same transfer, under the same cache
/// policy.
struct StretchKey: Sendable, Hashable {
  private let result: String
  private let decode: String
  private let transfer: TransferKey
  private let caching: CachePolicy
  private let isShown: Bool

  init(_ request: ImageRequest, _ result: (RequestKeys) -> String) {
    let keys = RequestKeys(request)
    self.result = result(keys)
    decode = keys.decode
    transfer = keys.transfer
    caching = request.caching
    isShown = request.course.isShown
  }
}

extension LoadEvent {
  /// The event of a shared stretch as the answer to `request`, which may not be the one it began with.
  fileprivate func answering(_ request: ImageRequest) -> LoadEvent {
    guard case .image(var loaded) = self else { return self }
    let claim = loaded.request.course.claim
    loaded.request = request
    loaded.request.course.claim = claim
    return .image(loaded)
  }
}

extension LoadEvent {
  /// Events of one kind outdate each other.
  fileprivate var kind: Int {
    switch self {
    case .request: 0
    case .progress: 1
    case .encoded: 2
    case .preview: 3
    case .image: 4
    }
  }
}
