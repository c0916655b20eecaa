#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ImagePipeline {
  /// For programs that need no more than one: pixels in memory, bytes in the folder `flow` of the
  /// user's caches, or in memory only where that can not be used.
  public static let shared = ImagePipeline(
    configuration: Configuration(
      cache: (try? ImageCache(named: "flow"))
        ?? ImageCache(memory: ImageCache.imageMemory(limit: 256 << 20), disk: nil)))

  /// The keys under which the caches hold what `request` asks for, this pipeline's rules applied.
  public func keys(for request: ImageRequest) -> RequestKeys {
    RequestKeys(configuration.naming(request))
  }

  /// Which tiers have it: pixels as they are asked for in memory, original bytes on disk. The disk
  /// is read on a worker.
  public func cachedTiers(of request: ImageRequest) async -> CacheTiers {
    guard let cache = configuration.cache else { return [] }
    let keys = keys(for: request)
    var tiers: CacheTiers = cache.pixels(forKey: keys.image) == nil ? [] : .memory
    let isStored = await onWorker { (try? cache.diskEntry(forKey: keys.original)) != nil }
    if isStored { tiers.insert(.disk) }
    return tiers
  }

  /// Keeps an image as if `request` had loaded it: pixels in memory, `bytes` on disk, or the image
  /// encoded anew where there are none. Tiers that the request does not write are left alone.
  ///
  /// - Throws: `CacheError` when the disk does not take it.
  public func keep(
    _ image: DecodedImage, bytes: ImageBytes? = nil, for request: ImageRequest
  ) async throws(CacheError) {
    guard let cache = configuration.cache else { return }
    let keys = keys(for: request)
    if request.caching.write.contains(.memory) { cache.store(image, forKey: keys.image) }
    guard request.caching.write.contains(.disk) else { return }
    let outcome = await onWorker {
      Result { () throws(CacheError) in
        guard let bytes = bytes ?? (try? image.suitableEncoder.encode(image)) else {
          throw .notWritten(path: keys.original, reason: "it could not be encoded")
        }
        try cache.store(bytes, response: nil, forKey: keys.original)
      }
    }
    try outcome.get()
  }

  /// Forgets the original of `request`, all that was made from it, and that it ever failed; also what
  /// an image that was delivered has still on its way to the disk.
  ///
  /// - Throws: `CacheError` when a tier can not be changed.
  public func forget(_ request: ImageRequest) async throws(CacheError) {
    let named = configuration.naming(request)
    configuration.failures?.forget(named)
    guard let cache = configuration.cache else { return }
    let key = RequestKeys(named).original
    await stores.forget(key)
    let outcome = await onWorker {
      Result { () throws(CacheError) in try cache.remove(forKey: key) }
    }
    try outcome.get()
  }

  /// Forgets everything: what the caches hold, what delivered images have on its way there, and what
  /// ever failed. Loads that run go on, and store what they get.
  ///
  /// - Throws: `CacheError` when a tier can not be changed.
  public func forgetAll() async throws(CacheError) {
    configuration.failures?.forgetAll()
    await stores.forgetAll()
    guard let cache = configuration.cache else { return }
    let outcome = await onWorker {
      Result { () throws(CacheError) in try cache.removeAll() }
    }
    try outcome.get()
  }

  private func onWorker<Output: Sendable>(_ work: @escaping @Sendable () -> Output) async -> Output
  {
    await withCheckedContinuation { continuation in
      WorkerPool.files.submit { _ in continuation.resume(returning: work()) }
    }
  }
}

extension ImagePipeline.Configuration {
  /// The request with the name that the rules give its URL in cache keys, and with what else is sent
  /// to its server where that may choose the answer.
  func naming(_ request: ImageRequest) -> ImageRequest {
    var request = request
    if request.isByServersWords, let downloader = downloader as? Downloader {
      request.course.ownFields = downloader.configuration.fields(accepting: decoders.accept)
    }
    guard keyFilter != nil || !keyRules.rules.isEmpty, request.key == nil, request.isRemote,
      case .url(let url) = request.source
    else { return request }
    request.course.name = keyFilter?(url) ?? keyRules.key(for: url.absoluteString)
    return request
  }
}

extension LoadEvent {
  /// Whether this is the picture of `shown` once more.
  func shows(_ shown: LoadedImage) -> Bool {
    guard case .image(let loaded) = self, loaded.image.animation == nil,
      shown.image.animation == nil
    else { return false }
    return loaded.image.bitmap == shown.image.bitmap
  }
}
