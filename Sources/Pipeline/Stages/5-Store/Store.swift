import Flow

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Puts images into the caches, as their requests allow, and passes them on.
  ///
  /// Pixels go to memory before the image is delivered; bytes that came from elsewhere go to disk
  /// on `workers`, before delivery only if the request's policy waits for it. Trouble of the disk
  /// does not fail the load: the cache counts and reports it. Cancel does not stop a write.
  public func store(
    in cache: (any ImageCaching)?, on workers: WorkerPool = .files
  ) -> Store<Self> {
    Store(upstream: self, cache: cache, workers: workers)
  }
}

/// What `store(in:)` returns: images pass, and the caches keep them.
public struct Store<Upstream: Publisher>: Publisher
where Upstream.Output == LoadEvent, Upstream.Failure == LoadError {
  /// Events of a load.
  public typealias Output = LoadEvent
  /// Why a load gave no image.
  public typealias Failure = LoadError

  var upstream: Upstream
  let cache: (any ImageCaching)?
  let workers: WorkerPool

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == LoadEvent, S.Failure == LoadError {
    let stage = self
    upstream.flatMap(maxPublishers: .max(1)) { event -> AnyPublisher<LoadEvent, LoadError> in
      switch event {
      case .image(let loaded): stage.keep(loaded)
      case .request(let request):
        .failure(.incompleteChain(.requestNotAnswered, source: request.source.name))
      case .encoded(_, let request):
        .failure(.incompleteChain(.bytesNotDecoded, source: request.source.name))
      case .progress, .preview: .event(event)
      }
    }.receive(subscriber: subscriber)
  }

  private func keep(_ loaded: LoadedImage) -> AnyPublisher<LoadEvent, LoadError> {
    guard let cache, loaded.origin != .memory else { return .event(.image(loaded)) }
    let start = ContinuousClock.now
    let policy = loaded.request.caching
    let keys = RequestKeys(loaded.request)
    if policy.write.contains(.memory) {
      let key = RequestKeys.imageKey(
        of: loaded.request, decode: keys.decode, transforms: loaded.appliedTransforms)
      cache.store(loaded.image, forKey: key)
    }
    guard policy.write.contains(.disk), loaded.origin == .network, let encoded = loaded.encoded
    else { return .event(.image(loaded.measuringStore(since: start))) }
    let write: @Sendable (CancellationFlag) -> LoadEvent = { _ in
      // Best effort: the image is at hand; the cache counts and reports its own trouble.
      try? cache.store(encoded.bytes, response: encoded.response, forKey: keys.original)
      return .image(loaded.measuringStore(since: start))
    }
    guard policy.waitsForStore else {
      workers.submit(priority: .low) { _ = write($0) }
      return .event(.image(loaded.measuringStore(since: start)))
    }
    return workers.publisher(priority: loaded.request.priority, write)
      .setFailureType(to: LoadError.self).eraseToAnyPublisher()
  }
}

extension Store: LoadStage where Upstream: LoadStage {
  /// What the chain begins with.
  public var request: ImageRequest {
    get { upstream.request }
    set { upstream.request = newValue }
  }
}

extension LoadedImage {
  fileprivate func measuringStore(since start: ContinuousClock.Instant) -> LoadedImage {
    var result = self
    result.metrics.store = start.duration(to: .now)
    return result
  }
}
