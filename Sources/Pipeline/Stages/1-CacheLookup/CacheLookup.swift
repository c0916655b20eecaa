import Dispatch
import Flow

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Answers requests from what is at hand: pixels in memory, else bytes on disk.
  ///
  /// A memory hit is delivered in the same turn, without a change of thread; the disk is read on
  /// `workers`. A miss passes the request on. A disk that can not be read is a miss.
  ///
  /// How long a stored image counts is the request's to say (`CachePolicy.validity`): what has to be
  /// confirmed by its server is passed on as a request, for a download stage behind this one. Of what
  /// is sent, a pipeline compares its downloader's fields too where `Vary` names them; a chain of your
  /// own those of the request.
  ///
  /// - Parameters:
  ///   - cache: What is asked. `nil` passes all events on.
  ///   - tiers: Which of its tiers; the request's policy must allow them, too.
  ///   - workers: Where the disk is read.
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
  /// Bytes that the disk will have in a moment.
  var underWay: StoresUnderWay?

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == LoadEvent, S.Failure == LoadError {
    let stage = self
    upstream.answeringRequests(subscriber) { stage.answer($0) }
  }

  private func answer(_ request: ImageRequest) -> StageAnswer {
    let start = ContinuousClock.now
    var request = request
    guard tiers.contains(.memory), let hit = request.memoryHit(in: cache) else {
      return lookIntoTiers(request, since: start)
    }
    guard request.caching.validity == .refreshing, tiers.contains(.disk) else {
      return .event(.image(hit))
    }
    request.course.isShown = true
    return .events(
      AnyPublisher.event(.image(hit)).append(lookIntoTiers(request, since: start).publisher)
        .eraseToAnyPublisher())
  }

  private func lookIntoTiers(
    _ request: ImageRequest, since start: ContinuousClock.Instant
  ) -> StageAnswer {
    let asked = tiers.intersection(request.caching.read)
    guard asked.contains(.disk), let cache else { return miss(request, since: start) }
    if !request.isByServersWords, let bytes = underWay?.bytes(forKey: request.keys.original) {
      return .event(Self.found(bytes, request, since: start))
    }
    let stage = self
    return .events(
      workers.publisher(priority: request.priority) { _ in request.storedAnswer(in: cache) }
        .setFailureType(to: LoadError.self)
        .flatMap(maxPublishers: .max(1)) { stage.events($0, request, since: start).publisher }
        .eraseToAnyPublisher())
  }

  private func events(
    _ answer: StoredAnswer, _ request: ImageRequest, since start: ContinuousClock.Instant
  ) -> StageAnswer {
    var request = request
    switch answer {
    case .miss: return miss(request, since: start)
    case .claimed(let claim):
      request.course.claim = claim
      return miss(request, since: start)
    case .notCached: return .failure(.cacheLookup(.notCached, source: request.sourceName))
    case .nothingNew: return .nothing
    case .bytes(let encoded): return .event(Self.found(encoded, request, since: start))
    case .ask(let revalidation, let stored):
      let found = stored.map { Self.found($0, request, since: start) }
      request = request.measuring(\.lookup, since: start)
      request.course.revalidation = revalidation
      guard let found else { return .event(.request(request)) }
      // What is asked for the cache's sake goes first: who has his image may leave at once.
      let both: [LoadEvent] =
        revalidation.purpose == .upkeep ? [.request(request), found] : [found, .request(request)]
      return .events(
        Publishers.Sequence(sequence: both).setFailureType(to: LoadError.self)
          .eraseToAnyPublisher())
    case .wait(let pause):
      let (stage, waiting) = (self, request)
      return .events(
        Just(()).delay(for: pause, scheduler: DispatchQueue.global())
          .setFailureType(to: LoadError.self)
          .flatMap(maxPublishers: .max(1)) { stage.lookIntoTiers(waiting, since: start).publisher }
          .eraseToAnyPublisher())
    }
  }

  private static func found(
    _ encoded: EncodedImage, _ request: ImageRequest, since start: ContinuousClock.Instant
  ) -> LoadEvent {
    var request = request.measuring(\.lookup, since: start)
    request.timeline.byteCount = encoded.bytes.count
    return .encoded(encoded, for: request)
  }

  private func miss(
    _ request: ImageRequest, since start: ContinuousClock.Instant
  ) -> StageAnswer {
    if tiers.contains(.disk), !request.caching.allowsNetwork {
      return .failure(.cacheLookup(.notCached, source: request.sourceName))
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
