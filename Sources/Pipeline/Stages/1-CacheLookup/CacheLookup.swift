import Flow

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Answers requests from what is at hand: pixels in memory, else bytes on disk.
  ///
  /// A memory hit is delivered in the same turn, without a change of thread; the disk is read on
  /// `workers`. A miss passes the request on. A disk that can not be read is a miss.
  ///
  /// - Parameters:
  ///   - cache: What is asked. `nil` passes all events on.
  ///   - tiers: Which of its tiers; the request's policy must allow them, too.
  /// - Returns: A stage that fails with `.cacheLookup(.notCached)` when the request allows no
  ///   network and the disk was to be asked here. Cancel stops a read that has not begun.
  public func cacheLookup(
    in cache: (any ImageCaching)?, tiers: CacheTiers = .all, on workers: WorkerPool = .files
  ) -> CacheLookup<Self> {
    CacheLookup(upstream: self, cache: cache, tiers: tiers, workers: workers)
  }
}

/// What `cacheLookup(in:)` returns: requests become pixels or bytes where a cache has them.
public struct CacheLookup<Upstream: Publisher>: Publisher
where Upstream.Output == LoadEvent, Upstream.Failure == LoadError {
  /// Events of a load.
  public typealias Output = LoadEvent
  /// Why a load gave no image.
  public typealias Failure = LoadError

  var upstream: Upstream
  let cache: (any ImageCaching)?
  let tiers: CacheTiers
  let workers: WorkerPool

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == LoadEvent, S.Failure == LoadError {
    let stage = self
    upstream.flatMap(maxPublishers: .max(1)) { event -> AnyPublisher<LoadEvent, LoadError> in
      guard case .request(let request) = event else { return .event(event) }
      return stage.answer(request)
    }.receive(subscriber: subscriber)
  }

  private func answer(_ request: ImageRequest) -> AnyPublisher<LoadEvent, LoadError> {
    let start = ContinuousClock.now
    if tiers.contains(.memory), let hit = request.memoryHit(in: cache) {
      return .event(.image(hit))
    }
    let asked = tiers.intersection(request.caching.read)
    guard asked.contains(.disk), let cache else { return miss(request, since: start) }
    let stage = self
    let original = RequestKeys(request).original
    return workers.publisher(priority: request.priority) { _ -> EncodedImage? in
      // A disk that can not be read is a miss; the cache counts and reports its own trouble.
      guard let entry = try? cache.diskEntry(forKey: original) else { return nil }
      return EncodedImage(bytes: entry.bytes, response: entry.response, origin: .disk)
    }
    .setFailureType(to: LoadError.self)
    .flatMap(maxPublishers: .max(1)) { encoded -> AnyPublisher<LoadEvent, LoadError> in
      guard let encoded else { return stage.miss(request, since: start) }
      var request = request.measuring(\.lookup, since: start)
      request.timeline.byteCount = encoded.bytes.count
      return .event(.encoded(encoded, for: request))
    }.eraseToAnyPublisher()
  }

  private func miss(
    _ request: ImageRequest, since start: ContinuousClock.Instant
  ) -> AnyPublisher<LoadEvent, LoadError> {
    if tiers.contains(.disk), !request.caching.allowsNetwork {
      return .failure(.cacheLookup(.notCached, source: request.source.name))
    }
    return .event(.request(request.measuring(\.lookup, since: start)))
  }
}

extension CacheLookup: LoadStage where Upstream: LoadStage {
  /// What the chain begins with.
  public var request: ImageRequest {
    get { upstream.request }
    set { upstream.request = newValue }
  }
}
