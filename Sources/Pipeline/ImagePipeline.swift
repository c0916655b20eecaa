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

  /// Makes a pipeline that shares nothing with others but what its configuration names.
  public init(configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  /// The load of `request`, begun by each subscriber, with all that happens on the way.
  ///
  /// Equal loads that run at the same time share one transfer, one decode and one image; who joins
  /// late gets the latest progress and preview at once; all of it is as urgent as the most urgent of
  /// those who wait. Fails with `LoadError`. A memory hit is delivered in the
  /// same turn; other events come on the thread that made them: put `receive(on:)` behind it.
  /// Cancelling is silent, and the last to cancel stops the work and closes the connection.
  public func load(_ request: ImageRequest) -> AnyPublisher<LoadEvent, LoadError> {
    let parts = configuration
    let (images, decodes) = (self.images, self.decodes)
    return Deferred { () -> AnyPublisher<LoadEvent, LoadError> in
      // What is in memory needs no chain, and costs none.
      if let hit = request.memoryHit(in: parts.cache) { return .event(.image(hit)) }
      return Load(request)
        .sharing(by: { $0.image }, in: images) { load in
          load
            .sharing(by: { $0.decode }, in: decodes) { load in
              load
                .cacheLookup(in: parts.cache, tiers: .disk)
                .download(with: parts.downloader, for: parts.decoders)
                .decode(using: parts.decoders)
            }
            .transformAsRequested()
            .store(in: parts.cache)
            .requireImage()
        }
        .eraseToAnyPublisher()
    }.eraseToAnyPublisher()
  }

  /// The load of the image at `url`, with the defaults of `ImageRequest`.
  public func load(_ url: URL) -> AnyPublisher<LoadEvent, LoadError> { load(ImageRequest(url)) }

  /// The events of a load, to be read by `for try await`. Breaking off the loop cancels it.
  public func events(for request: ImageRequest) -> AsyncPublisher<LoadEvent, LoadError> {
    load(request).values
  }

  /// Loads an image.
  ///
  /// - Throws: `LoadError`, or `CancellationError` when the task was cancelled.
  public func image(for request: ImageRequest) async throws -> LoadedImage {
    for try await event in load(request).values {
      if case .image(let loaded) = event { return loaded }
    }
    try Task.checkCancellation()
    throw LoadError.incompleteChain(.nothing, source: request.source.name)
  }

  /// Loads the image at `url`, with the defaults of `ImageRequest`.
  ///
  /// - Throws: `LoadError`, or `CancellationError` when the task was cancelled.
  public func image(for url: URL) async throws -> LoadedImage {
    try await image(for: ImageRequest(url))
  }

  /// Fetches the encoded bytes of an image with the response they came in, without decoding.
  ///
  /// The disk cache is asked first; what comes from elsewhere is not stored.
  /// - Throws: `LoadError`, or `CancellationError` when the task was cancelled.
  public func data(for request: ImageRequest) async throws -> EncodedImage {
    let chain = Load(request)
      .cacheLookup(in: configuration.cache, tiers: .disk)
      .download(with: configuration.downloader, for: configuration.decoders)
    for try await event in chain.values {
      if case .encoded(let encoded, _) = event, encoded.isComplete { return encoded }
    }
    try Task.checkCancellation()
    throw LoadError.incompleteChain(.nothing, source: request.source.name)
  }
}

extension ImagePipeline {
  /// The components of a pipeline; each may be replaced.
  public struct Configuration: Sendable {
    /// Where images are looked up and kept; `nil` keeps nothing.
    public var cache: (any ImageCaching)?
    /// What fetches bytes.
    public var downloader: any ImageDownloader
    /// What makes pixels of bytes.
    public var decoders: DecoderRegistry

    /// The parts given. Without a cache nothing outlives a load.
    public init(
      cache: (any ImageCaching)? = nil, downloader: any ImageDownloader = Downloader(),
      decoders: DecoderRegistry = .standard
    ) {
      self.cache = cache
      self.downloader = downloader
      self.decoders = decoders
    }
  }
}
