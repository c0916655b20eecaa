import Flow

/// Images in memory, on disk, and in any tiers behind that; each may be left out.
///
/// The memory tier holds decoded pixels by `RequestKeys.image` and answers at once. The others hold
/// encoded bytes by `RequestKeys.original` and block; they are asked in order, and what a later one
/// has is copied to those before it.
public final class ImageCache: ImageCaching {
  /// Decoded pixels; costs are bytes.
  public let memory: MemoryCache<String, CachedPixels>?
  /// Encoded bytes.
  public let disk: DiskCache?
  /// What is asked after the disk.
  public let further: [any CacheTier]
  private let tiers: [any CacheTier]
  private let clock: @Sendable () -> Int64
  private let watch: MemoryPressureWatch?

  /// Puts tiers together; a tier that is `nil` misses and stores nothing.
  ///
  /// - Parameters:
  ///   - memory: Decoded pixels.
  ///   - disk: Encoded bytes.
  ///   - further: Asked in order when the disk misses, and filled with it.
  ///   - watch: Trims the memory tier when memory runs short; lives as long as the cache.
  ///   - clock: Nanoseconds since 1970, by which responses age; the disk tier's unless given.
  public init(
    memory: MemoryCache<String, CachedPixels>?, disk: DiskCache?, further: [any CacheTier] = [],
    watch: MemoryPressureWatch? = nil, clock: (@Sendable () -> Int64)? = nil
  ) {
    self.memory = memory
    self.disk = disk
    self.further = further
    self.watch = watch
    self.clock = clock ?? disk?.configuration.now ?? DiskCacheConfiguration.systemTime
    tiers = (disk.map { [$0] } ?? []) + further
  }

  /// A cache of the standard kind: memory that is trimmed when memory runs short, and a folder in
  /// the user's cache folder.
  ///
  /// - Parameters:
  ///   - name: Names the folder below `$XDG_CACHE_HOME` or `~/.cache`: one part of a path.
  ///   - memoryLimit: Bytes of pixels; 256 MiB unless told otherwise.
  ///   - configuration: Limits of size and age on disk.
  /// - Throws: `.unusableFolder`.
  public convenience init(
    named name: String, memoryLimit: Int = 256 << 20,
    disk configuration: DiskCacheConfiguration = DiskCacheConfiguration()
  ) throws(CacheError) {
    guard !["", ".", ".."].contains(name), !name.utf8.contains(UInt8(ascii: "/")) else {
      throw .unusableFolder(path: name, reason: "a cache's name is one part of a path")
    }
    let memory = Self.imageMemory(limit: memoryLimit)
    self.init(
      memory: memory,
      disk: try DiskCache(
        folder: DiskCacheConfiguration.standardFolder(named: name), configuration: configuration),
      watch: MemoryPressureWatch(trimming: memory))
  }

  /// A memory tier for pixels: dropped images are found again while somebody shows them.
  public static func imageMemory(
    limit: Int, count: Int = .max, age: Duration? = nil
  ) -> MemoryCache<String, CachedPixels> {
    MemoryCache(
      limits: .init(cost: limit, count: count, age: age), weakly: { $0.weakReference })
  }

  /// Decoded pixels under `key`, at once; `nil` on a miss.
  public func pixels(forKey key: String) -> CachedPixels? { memory?.value(for: key) }

  /// The image of the pixels under `key`, at once; `nil` on a miss.
  public func memoryImage(forKey key: String) -> DecodedImage? { memory?.value(for: key)?.image }

  /// Keeps pixels in memory, at once.
  public func store(_ pixels: CachedPixels, forKey key: String) {
    memory?.store(pixels, cost: pixels.image.byteCount, for: key)
  }

  /// Forgets all pixels made from the original under `key`: their keys begin with it.
  public func removePixels(madeFrom key: String) {
    memory?.removeAll { $0 == key || $0.hasPrefix(key + RequestKeys.separator) }
  }

  /// The same, but for the pixels under `kept`, which are there all the time.
  public func removePixels(madeFrom key: String, keeping kept: String) {
    memory?.removeAll { $0 != kept && ($0 == key || $0.hasPrefix(key + RequestKeys.separator)) }
  }

  /// Encoded bytes under `key`; `nil` on a miss. Blocks.
  public func diskEntry(forKey key: String, variant: String) throws(CacheError) -> DiskEntry? {
    var failure: CacheError?
    for (index, tier) in tiers.enumerated() {
      do {
        guard let entry = try tier.entry(for: key, variant: variant) else { continue }
        for earlier in tiers[..<index] {
          // Best effort: the entry is at hand.
          try? earlier.store(entry.bytes, response: entry.stored, for: key, variant: variant)
        }
        return entry
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return nil
  }

  /// Keeps encoded bytes in every tier. Blocks.
  ///
  /// - Throws: What the first tier that failed threw; the others hold them all the same.
  public func store(
    _ bytes: ImageBytes, response: StoredResponse?, forKey key: String, variant: String
  ) throws(CacheError) {
    var failure: CacheError?
    for tier in tiers {
      do {
        try tier.store(bytes, response: response, for: key, variant: variant)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// Asks the tiers that other processes share. Blocks.
  public func fetchTurn(forKey key: String) -> FetchTurn {
    for tier in tiers {
      let turn = tier.fetchTurn(for: key)
      if case .free = turn { continue }
      return turn
    }
    return .free
  }

  /// Forgets the original under `key` and all that was made from it.
  public func remove(forKey key: String) throws(CacheError) {
    removePixels(madeFrom: key)
    for tier in tiers { tier.remove(key) }
  }

  /// Forgets what was made of the original under `key`, in every tier but memory. Blocks.
  public func removeVariants(ofKey key: String) {
    for tier in tiers { tier.removeVariants(of: key) }
  }

  /// Forgets everything. Blocks.
  public func removeAll() throws(CacheError) {
    memory?.removeAll()
    for tier in tiers { try tier.removeAll() }
  }

  /// Seconds since 1970.
  public var now: Int { Int(clock() / 1_000_000_000) }
}
