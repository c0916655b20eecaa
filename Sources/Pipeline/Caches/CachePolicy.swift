/// What a load may read from and write to the caches.
public struct CachePolicy: Sendable, Hashable {
  /// Tiers that are asked, memory first.
  public var read: CacheTiers = .all
  /// Tiers that are filled.
  public var write: CacheTiers = .all
  /// Whether the network may be asked when no tier answers.
  public var allowsNetwork = true
  /// Whether the image is delivered only after the caches have it, rather than at once.
  public var waitsForStore = false

  /// Read and write all tiers, then the network.
  public init() {}

  /// Reads and writes these tiers.
  public init(read: CacheTiers, write: CacheTiers, allowsNetwork: Bool = true) {
    self.read = read
    self.write = write
    self.allowsNetwork = allowsNetwork
  }

  /// Caches only: a miss fails with `CacheError.notCached`.
  public static let cacheOnly = CachePolicy(read: .all, write: .all, allowsNetwork: false)
  /// The network only: nothing is read from caches, the result is stored.
  public static let networkOnly = CachePolicy(read: [], write: .all)
}

/// A set of cache tiers.
public struct CacheTiers: OptionSet, Sendable, Hashable {
  public let rawValue: Int
  /// Makes a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Decoded pixels in memory.
  public static let memory = CacheTiers(rawValue: 1)
  /// Encoded bytes on disk.
  public static let disk = CacheTiers(rawValue: 2)
  /// Both.
  public static let all: CacheTiers = [.memory, .disk]
}
