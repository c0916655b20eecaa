/// What a load may read from and write to the caches, and how long it trusts them.
public struct CachePolicy: Sendable, Hashable {
  /// Tiers that are asked, memory first.
  public var read: CacheTiers = .all
  /// Tiers that are filled.
  public var write: CacheTiers = .all
  /// How long what a cache holds counts as the image.
  public var validity = CacheValidity.immutable
  /// Whether the network may be asked when no tier answers.
  public var allowsNetwork = true
  /// Whether the image is delivered only after the caches have it, rather than at once.
  public var waitsForStore = false
  /// Whether a source is asked although it failed for good a short while ago.
  public var retriesFailed = false

  /// Read and write all tiers, then the network.
  public init() {}

  /// Reads and writes these tiers.
  public init(read: CacheTiers, write: CacheTiers, allowsNetwork: Bool = true) {
    self.read = read
    self.write = write
    self.allowsNetwork = allowsNetwork
  }

  /// All tiers, as long as the server's words on caching allow: see `CacheValidity.http`.
  public static let http = CachePolicy(validity: .http)
  /// All tiers, at once, and then what the server has by now: see `CacheValidity.refreshing`.
  public static let refreshing = CachePolicy(validity: .refreshing)
  /// Caches only: a miss fails with `CacheError.notCached`.
  public static let cacheOnly = CachePolicy(read: .all, write: .all, allowsNetwork: false)
  /// The network only: nothing is read from caches, the result is stored.
  public static let networkOnly = CachePolicy(read: [], write: .all)
  /// All tiers, and the results of transforms on disk besides the originals.
  public static let keepingResults = CachePolicy(
    read: [.all, .results], write: [.all, .results])

  private init(validity: CacheValidity) { self.validity = validity }
}

/// How long what a cache holds counts as the image.
public enum CacheValidity: Sendable, Hashable {
  /// One address, one image: a stored one is good until it ages out, and its server is not asked.
  case immutable
  /// As the server says: the disk tier is a private cache by RFC 9111, with stale-while-revalidate
  /// and stale-if-error by RFC 5861. The request's own `Cache-Control` is obeyed, too.
  ///
  /// Answers other than success are not kept; failures are `FailedSources`' business.
  case http
  /// What is stored is delivered at once; once stale by `http`'s rules, its server is asked, and a
  /// second image follows if it has another one.
  ///
  /// A load whose server can not be asked ends with that error, after the stored image.
  case refreshing
}

/// A set of cache tiers.
public struct CacheTiers: OptionSet, Sendable, Hashable {
  public let rawValue: Int
  /// Makes a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Decoded pixels in memory.
  public static let memory = CacheTiers(rawValue: 1)
  /// Encoded bytes on disk, and in the tiers behind it.
  public static let disk = CacheTiers(rawValue: 2)
  /// What transforms made, encoded anew, on disk beside the original; asked and filled on wish
  /// only. JPEG loses a little where pixels are opaque.
  public static let results = CacheTiers(rawValue: 4)
  /// Memory and disk.
  public static let all: CacheTiers = [.memory, .disk]
}
