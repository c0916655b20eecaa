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
  /// Told of what is stored.
  var underWay: StoresUnderWay?

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == LoadEvent, S.Failure == LoadError {
    let stage = self
    upstream.answering(subscriber) { event in
      switch event {
      case .image(let loaded): stage.keep(loaded)
      case .request(let request):
        .failure(.incompleteChain(.requestNotAnswered, source: request.sourceName))
      case .encoded(_, let request):
        .failure(.incompleteChain(.bytesNotDecoded, source: request.sourceName))
      case .progress, .preview: .event(event)
      }
    }
  }

  private func keep(_ loaded: LoadedImage) -> StageAnswer {
    let start = ContinuousClock.now
    var loaded = loaded
    let claim = loaded.request.course.claim
    loaded.request.course.claim = nil
    // Part of a picture is for the one who accepts it, not for those who ask later.
    guard let cache, loaded.origin != .memory, loaded.mayBeKept, loaded.image.isComplete else {
      return .event(.image(loaded))
    }
    let request = loaded.request
    let keys = RequestKeys(request)
    if loaded.encoded?.verdict == .changed { cache.removePixels(madeFrom: keys.original) }
    var stored: String?
    if request.caching.write.contains(.memory) {
      let key = RequestKeys.imageKey(
        pixels: keys.pixels, transforms: loaded.appliedTransforms,
        everyFrame: request.transformsAnimations)
      let response = loaded.encoded?.stored(for: request, at: cache.now)
      cache.store(CachedPixels(loaded.image, response: response), forKey: key)
      stored = key
      underWay?.noteMemoryStore()
    }
    let kept = loaded
    let writes = kept.diskWrites(in: cache, keys, keeping: stored)
    guard !writes.isEmpty else { return .event(.image(kept.measuringStore(since: start))) }
    let writing = underWay.announcing(kept.encoded, for: request) {
      for write in writes { write() }
    }
    let write: @Sendable (CancellationFlag) -> LoadEvent = { _ in
      writing()
      // Others may look now.
      withExtendedLifetime(claim) {}
      return .image(kept.measuringStore(since: start))
    }
    guard request.caching.waitsForStore else {
      workers.submit(priority: .low) { _ = write($0) }
      return .event(.image(kept.measuringStore(since: start)))
    }
    return .events(
      workers.publisher(priority: request.priority, write)
        .setFailureType(to: LoadError.self).eraseToAnyPublisher())
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
  /// Whether caches may hold it; a load by the server's words obeys `no-store`.
  fileprivate var mayBeKept: Bool { encoded?.mayBeKept(for: request) ?? true }

  /// What is to be written to the disk tiers. Best effort: the image is at hand; the cache counts and
  /// reports its own trouble.
  fileprivate func diskWrites(
    in cache: any ImageCaching, _ keys: RequestKeys, keeping pixels: String?
  ) -> [@Sendable () -> Void] {
    var writes: [@Sendable () -> Void] = []
    let tiers = request.caching.write
    if tiers.contains(.disk), origin == .network, let encoded {
      let request = request
      writes.append {
        guard let takesPlace = try? encoded.keep(for: request, in: cache), takesPlace else {
          return
        }
        // Also what was made of the former original while this one was on its way.
        if let pixels {
          cache.removePixels(madeFrom: keys.original, keeping: pixels)
        } else {
          cache.removePixels(madeFrom: keys.original)
        }
      }
    }
    if tiers.contains(.results), isResult {
      let (image, response) = (image, encoded?.stored(for: request, at: cache.now))
      writes.append {
        guard let bytes = try? image.suitableEncoder.encode(image) else { return }
        try? cache.store(bytes, response: response, forKey: keys.original, variant: keys.image)
      }
    }
    return writes
  }

  /// Whether transforms made it what it is, so that it is not to be had from the original alone.
  private var isResult: Bool {
    image.animation == nil && encoded?.isResult != true
      && appliedTransforms.contains { !$0.isEmpty }
      && appliedTransforms == request.transforms.map(\.key)
  }

  fileprivate func measuringStore(since start: ContinuousClock.Instant) -> LoadedImage {
    var result = self
    result.metrics.store = start.duration(to: .now)
    return result
  }
}
