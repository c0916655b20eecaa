import Flow

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Loads images: the whole chain in one expression, shared by all who ask for the same.
///
/// ```swift
/// let pipeline = ImagePipeline()
/// let loaded = try await pipeline.image(for: url)
/// ```
public final class ImagePipeline: Sendable {
  /// What the pipeline is made of.
  public let configuration: Configuration
  private let decodes = RunningStretches()
  private let images = RunningStretches()
  /// What is on its way into the caches.
  let stores = StoresUnderWay()
  /// Counts and names loads; pipelines made by `replacing(_:)` write into the same.
  let ledger: LoadLedger
  /// Whether nobody stands around loads, and nobody changes what is asked for.
  private let takesRequestsAsTheyAre: Bool
  /// Whether rules or a filter give URLs other names in cache keys.
  private let namesURLs: Bool

  /// Makes a pipeline that shares nothing with others but what its configuration names.
  public convenience init(configuration: Configuration = Configuration()) {
    self.init(configuration: configuration, ledger: LoadLedger())
  }

  private init(configuration: Configuration, ledger: LoadLedger) {
    self.configuration = configuration
    self.ledger = ledger
    takesRequestsAsTheyAre =
      configuration.hooks.interceptors.isEmpty && configuration.hooks.rewrite == nil
    namesURLs = configuration.keyFilter != nil || !configuration.keyRules.rules.isEmpty
  }

  /// The same pipeline with other components, for one load or for many.
  ///
  /// Its loads share transfers with those of this pipeline as long as both have the same
  /// downloader, and nothing else; both are counted, watched and shut down together.
  public func replacing(_ change: (inout Configuration) -> Void) -> ImagePipeline {
    var configuration = configuration
    change(&configuration)
    return ImagePipeline(configuration: configuration, ledger: ledger)
  }

  /// The load of `request`, begun by each subscriber, with all that happens on the way.
  ///
  /// Equal loads that run at the same time share one transfer, one decode and one image; who joins
  /// late gets the latest progress and preview at once; all of it is as urgent as the most urgent of
  /// those who wait. Fails with `LoadError`. A memory hit is delivered in the
  /// same turn; other events come on the thread that made them: put `receive(on:)` behind it.
  /// Cancelling is silent, and the last to cancel stops the work and closes the connection.
  public func load(_ request: ImageRequest) -> AnyPublisher<LoadEvent, LoadError> {
    AnyPublisher(PipelineLoad(pipeline: self, request: request))
  }

  /// The same, by who has just heard from `memoryAnswer(to:)` that it is `missing`.
  func load(
    _ request: ImageRequest, missingAt storeCount: Int
  ) -> AnyPublisher<LoadEvent, LoadError> {
    AnyPublisher(PipelineLoad(pipeline: self, request: request, missingAt: storeCount))
  }

  /// What is in memory at once and, where that is refreshed, what follows; else all stages.
  fileprivate func answer(
    _ request: ImageRequest, missingAt: Int?
  ) -> AnyPublisher<LoadEvent, LoadError> {
    var request = configuration.naming(request)
    let storeCount = missingAt ?? stores.memoryStoreCount
    guard missingAt == nil, let hit = memoryHit(for: request) else {
      let load = chain(request, missingAt: storeCount)
      guard let placeholder = request.placeholder else {
        return load.tracked(request, in: ledger).eraseToAnyPublisher()
      }
      return load.prepend(.preview(placeholder.image)).tracked(request, in: ledger)
        .eraseToAnyPublisher()
    }
    guard request.caching.validity == .refreshing else {
      ledger.note(hit)
      return .event(.image(hit))
    }
    request.course.isShown = true
    return AnyPublisher.event(.image(hit))
      .append(chain(request, missingAt: storeCount).filter { !$0.shows(hit) })
      .tracked(request, in: ledger)
      .eraseToAnyPublisher()
  }

  @inline(__always)
  private func memoryHit(for request: ImageRequest) -> LoadedImage? {
    ledger.isOpen ? request.memoryHit(in: configuration.cache) : nil
  }

  /// All stages in order, from the disk on; memory had no answer when so much was stored there.
  private func chain(
    _ request: ImageRequest, missingAt storeCount: Int
  ) -> AnyPublisher<LoadEvent, LoadError> {
    let parts = configuration
    let (decodes, stores) = (self.decodes, self.stores)
    return Load(request)
      .marking(\.began)
      .sharing(by: { $0.image }, in: images) { load -> AnyPublisher<LoadEvent, LoadError> in
        // An equal load may have ended between that look and the beginning of this one.
        if stores.memoryStoreCount != storeCount, load.request.caching.validity != .refreshing,
          let hit = load.request.memoryHit(in: parts.cache)
        {
          return .event(.image(hit))
        }
        let images =
          load
          .resultLookup(in: parts.cache, using: parts.decoders)
          .sharing(by: { $0.decode }, in: decodes) { load in
            let source = BytesFromCache()
            return parts.pixels(load, or: stores, from: source)
              .orAgain(
                unlessDamagedIsNew: source, load.request, in: parts.cache,
                forgetting: parts.failures
              ) { parts.pixels(Load($0), or: stores, from: source) }
              .marking(\.decoded)
              .noting(failuresIn: parts.failures, of: load.request)
          }
          .transformAsRequested()
          .marking(\.transformed)
          .store(in: parts.cache, telling: stores)
          .marking(\.stored)
        // Who is shown what is stored already may hear nothing more.
        return load.request.course.isShown
          ? images.eraseToAnyPublisher() : images.requireImage().eraseToAnyPublisher()
      }
      .eraseToAnyPublisher()
  }

  /// The finished image, if it is in memory and the request may read it there; at once.
  ///
  /// Counts as a load when there is one; a miss does not. Interceptors are not asked.
  public func imageInMemory(for request: ImageRequest) -> LoadedImage? {
    let asked = takesRequestsAsTheyAre ? request : configuration.hooks.rewrite?(request) ?? request
    guard let hit = memoryHit(for: namesURLs ? configuration.naming(asked) : asked) else {
      return nil
    }
    ledger.note(hit)
    return hit
  }

  /// What memory has to say where that can be the whole answer: it needs no chain, and costs none.
  @inline(__always)
  func memoryAnswer(to request: ImageRequest) -> MemoryAnswer {
    guard takesRequestsAsTheyAre, request.caching.validity != .refreshing else { return .unknown }
    let storeCount = stores.memoryStoreCount
    return imageInMemory(for: request).map { .image($0) } ?? .missing(at: storeCount)
  }

  /// The load of the image at `url`, with the defaults of `ImageRequest`.
  public func load(_ url: URL) -> AnyPublisher<LoadEvent, LoadError> { load(ImageRequest(url)) }

  /// The events of a load, to be read by `for try await`. Breaking off the loop cancels it.
  public func events(for request: ImageRequest) -> LoadEvents {
    LoadEvents(pipeline: self, request: request)
  }

  /// Loads an image; with `CachePolicy.refreshing` the last that comes, be it the stored one.
  ///
  /// - Throws: `LoadError`, or `CancellationError` when the task was cancelled.
  public func image(for request: ImageRequest) async throws -> LoadedImage {
    try Task.checkCancellation()
    let load: AnyPublisher<LoadEvent, LoadError>
    switch memoryAnswer(to: request) {
    case .image(let hit): return hit
    case .missing(let storeCount): load = self.load(request, missingAt: storeCount)
    case .unknown: load = self.load(request)
    }
    let waits = request.caching.validity == .refreshing
    let found = try await load.last { event, isLast -> LoadedImage? in
      guard case .image(let loaded) = event else { return nil }
      isLast = !waits
      return loaded
    }
    guard let found else { throw LoadError.incompleteChain(.nothing, source: request.sourceName) }
    return found
  }

  /// Loads the image at `url`, with the defaults of `ImageRequest`.
  ///
  /// - Throws: `LoadError`, or `CancellationError` when the task was cancelled.
  public func image(for url: URL) async throws -> LoadedImage {
    try await image(for: ImageRequest(url))
  }

  /// Fetches the encoded bytes of an image with the response they came in, without decoding.
  ///
  /// The disk cache is asked first; what comes from the network is stored as the request allows.
  /// - Throws: `LoadError`, or `CancellationError` when the task was cancelled.
  public func data(for request: ImageRequest) async throws -> EncodedImage {
    let waits = request.caching.validity == .refreshing
    let found = try await bytes(of: request).last { event, isLast -> EncodedImage? in
      guard case .encoded(let encoded, _) = event, encoded.isComplete else { return nil }
      isLast = !waits
      return encoded
    }
    guard let found else { throw LoadError.incompleteChain(.nothing, source: request.sourceName) }
    return found
  }

  /// The load of the encoded bytes alone: the chain up to the download.
  func bytes(of request: ImageRequest) -> AnyPublisher<LoadEvent, LoadError> {
    let parts = configuration
    let request = parts.naming(parts.hooks.rewrite?(request) ?? request)
    return Load(request)
      .marking(\.began)
      .cacheLookup(in: parts.cache, tiers: .disk, orUnderWay: stores)
      .marking(\.lookedUp)
      .refusing(failuresIn: parts.failures)
      .stopUnlessDownloadable(parts.hooks.mayDownload)
      .download(with: parts.downloader, for: parts.decoders)
      .marking(\.lastByte)
      .storeBytes(in: parts.cache, decodableBy: parts.decoders, telling: stores)
      .marking(\.stored)
      .noting(failuresIn: parts.failures, of: request)
      .tracked(request, in: ledger)
      .eraseToAnyPublisher()
  }
}

/// What memory has to say to a request.
enum MemoryAnswer {
  /// The image, which is the whole answer.
  case image(LoadedImage)
  /// It has no image, when so much was stored there.
  case missing(at: Int)
  /// It is not to say by itself.
  case unknown
}

/// A load that begins anew for each subscriber.
private struct PipelineLoad: Publisher {
  typealias Output = LoadEvent
  typealias Failure = LoadError

  let pipeline: ImagePipeline
  let request: ImageRequest
  /// How much was stored in memory when it was asked already.
  var missingAt: Int?

  func receive<S: Subscriber>(subscriber: S)
  where S.Input == LoadEvent, S.Failure == LoadError {
    let answer = missingAt.map { .missing(at: $0) } ?? pipeline.memoryAnswer(to: request)
    if case .image(let hit) = answer {
      return OneEvent(event: .image(hit)).receive(subscriber: subscriber)
    }
    let missingAt: Int? = if case .missing(let storeCount) = answer { storeCount } else { nil }
    pipeline.configuration.hooks.around(request) { [pipeline] request in
      pipeline.answer(request, missingAt: missingAt)
    }.receive(subscriber: subscriber)
  }
}

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// The last value that `part` finds, up to one that it says is the last of interest.
  ///
  /// - Throws: The failure, if nothing was found before it; `CancellationError`.
  fileprivate func last<Part: Sendable>(
    _ part: (LoadEvent, inout Bool) -> Part?
  ) async throws -> Part? {
    var found: Part?
    do {
      for try await event in values {
        var isLast = false
        found = part(event, &isLast) ?? found
        if isLast { return found }
      }
    } catch {
      if found == nil { throw error }
    }
    try Task.checkCancellation()
    return found
  }
}
