import Flow

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Answers requests from results of transforms that were kept on disk, where they ask for that
  /// (`CacheTiers.results`). Everything else passes.
  ///
  /// - Parameters:
  ///   - cache: What is asked.
  ///   - decoders: What makes pixels of the bytes found. A result that can not be decoded is a miss.
  ///   - files: Where the disk is read.
  ///   - workers: Where results are decoded.
  public func resultLookup(
    in cache: (any ImageCaching)?, using decoders: DecoderRegistry = .standard,
    on files: WorkerPool = .files, decodingOn workers: WorkerPool = .decoding
  ) -> some Publisher<LoadEvent, LoadError> {
    requestsAnswered { request in
      guard let cache, request.asksForResult else { return .event(.request(request)) }
      let start = ContinuousClock.now
      let keys = RequestKeys(request)
      let events = files.publisher(priority: request.priority) { _ -> DiskEntry? in
        try? cache.diskEntry(forKey: keys.original, variant: keys.image)
      }
      .setFailureType(to: LoadError.self)
      .flatMap(maxPublishers: .max(1)) { entry -> AnyPublisher<LoadEvent, LoadError> in
        var asked = request.measuring(\.lookup, since: start)
        guard let entry else { return .event(.request(asked)) }
        asked.timeline.moments.lookedUp = .now
        asked.timeline.byteCount = entry.bytes.count
        let found = asked
        return workers.publisher(priority: request.priority) { _ -> LoadEvent in
          entry.result(for: found, using: decoders).map { .image($0) } ?? .request(request)
        }
        .setFailureType(to: LoadError.self).eraseToAnyPublisher()
      }
      return .events(events.eraseToAnyPublisher())
    }
  }
}

extension ImageRequest {
  /// Whether a kept result could answer it. Results know nothing of freshness.
  fileprivate var asksForResult: Bool {
    caching.read.contains(.results) && caching.validity == .immutable
      && transforms.contains { !$0.key.isEmpty }
  }
}

extension DiskEntry {
  /// The image these bytes hold, every transform of `request` done; `nil` if they hold none.
  fileprivate func result(for request: ImageRequest, using decoders: DecoderRegistry)
    -> LoadedImage?
  {
    let start = ContinuousClock.now
    guard var image = try? decoders.decode(bytes) else { return nil }
    image.scale = request.scale ?? ScaleSuffix.scale(ofKey: request.key ?? request.sourceName)
    var metrics = request.timeline
    metrics.decode = start.duration(to: .now)
    metrics.moments.decoded = .now
    var encoded = EncodedImage(bytes: bytes, response: response, origin: .disk)
    encoded.verdict = .fresh
    encoded.isResult = true
    return LoadedImage(
      image: image, encoded: encoded, origin: .disk, request: request, metrics: metrics,
      appliedTransforms: request.transforms.map(\.key))
  }
}
