#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ImagePipeline {
  /// The components of a pipeline; each may be replaced.
  public struct Configuration: Sendable {
    /// Where images are looked up and kept; `nil` keeps nothing.
    public var cache: (any ImageCaching)?
    /// What fetches bytes.
    public var downloader: any ImageDownloader
    /// What makes pixels of bytes.
    public var decoders: DecoderRegistry
    /// Sources that failed for good, so that they are not asked again for a while; `nil` asks
    /// always.
    public var failures: FailedSources?
    /// What makes URLs of one image one key in the caches. A request's own `key` comes before it.
    public var keyRules = KeyRules.exact
    /// The key for a URL, in place of the rules; `nil` leaves it to them.
    public var keyFilter: (@Sendable (URL) -> String?)?
    /// Code of the user's around each load; none unless set.
    public var hooks = LoadHooks()

    /// The parts given. Without a cache nothing outlives a load.
    public init(
      cache: (any ImageCaching)? = nil, downloader: any ImageDownloader = Downloader(),
      decoders: DecoderRegistry = .standard, failures: FailedSources? = FailedSources()
    ) {
      self.cache = cache
      self.downloader = downloader
      self.decoders = decoders
      self.failures = failures
    }
  }
}
