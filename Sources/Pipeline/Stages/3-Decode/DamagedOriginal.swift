import Flow
import Synchronization

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Tells whether the bytes that pass come from a cache.
  func noting(_ source: BytesFromCache) -> Publishers.HandleEvents<Self> {
    handleEvents(receiveOutput: { event in
      if case .encoded(let encoded, _) = event, encoded.isComplete {
        source.isCache.store(encoded.origin == .disk, ordering: .relaxed)
      }
    })
  }

  /// Where bytes from a cache turn out to be no picture, takes them out of it and goes on with `again`,
  /// which looks into no disk.
  ///
  /// A checksum proves that they are what was stored, not that a picture was: a body without a length
  /// may have been cut, and other programs may store anything.
  func orAgain(
    unlessDamagedIsNew source: BytesFromCache, _ request: ImageRequest,
    in cache: (any ImageCaching)?, forgetting failures: FailedSources?,
    _ again: @escaping @Sendable (ImageRequest) -> AnyPublisher<LoadEvent, LoadError>
  ) -> AnyPublisher<LoadEvent, LoadError> {
    guard let cache, request.caching.allowsNetwork, request.caching.read.contains(.disk) else {
      return eraseToAnyPublisher()
    }
    return self.catch { error -> AnyPublisher<LoadEvent, LoadError> in
      guard error.isDamage, source.isCache.load(ordering: .relaxed) else { return .failure(error) }
      var anew = request
      anew.caching.read.remove(.disk)
      let fetch = anew
      return WorkerPool.files.publisher(priority: request.priority) { _ in
        // Best effort: what stays there is found out again.
        try? cache.remove(forKey: request.keys.original)
        failures?.forget(request)
      }
      .setFailureType(to: LoadError.self)
      .flatMap(maxPublishers: .max(1)) { _ in again(fetch) }
      .eraseToAnyPublisher()
    }.eraseToAnyPublisher()
  }
}

/// Whether the latest complete bytes of a load came from a cache.
final class BytesFromCache: Sendable {
  let isCache = Atomic(false)
}

extension LoadError {
  /// Whether the bytes are to blame, not what was asked of the decoder.
  fileprivate var isDamage: Bool {
    switch self {
    case .decode(.empty, source: _), .decode(.unknownFormat, source: _),
      .decode(.unsupportedFormat, source: _),
      .decode(.truncated, source: _), .decode(.corrupt, source: _):
      true
    default: false
    }
  }
}
