/// Images in memory and on disk; either tier may be left out.
///
/// The memory tier holds decoded pixels by `RequestKeys.image` and answers at once. The disk tier
/// holds encoded bytes by `RequestKeys.original` and blocks.
public final class ImageCache: ImageCaching {
  /// Decoded pixels; costs are bytes.
  public let memory: MemoryCache<String, DecodedImage>?
  /// Encoded bytes.
  public let disk: DiskCache?

  /// Puts tiers together; a tier that is `nil` misses and stores nothing.
  public init(memory: MemoryCache<String, DecodedImage>?, disk: DiskCache?) {
    self.memory = memory
    self.disk = disk
  }

  /// A cache of the standard kind: memory, and a folder in the user's cache folder.
  ///
  /// - Parameters:
  ///   - name: Names the folder below `$XDG_CACHE_HOME` or `~/.cache`.
  ///   - memoryLimit: Bytes of pixels; 256 MiB unless told otherwise.
  /// - Throws: `.unusableFolder`.
  public convenience init(
    named name: String, memoryLimit: Int = 256 << 20,
    disk configuration: DiskCacheConfiguration = DiskCacheConfiguration()
  ) throws(CacheError) {
    self.init(
      memory: Self.imageMemory(limit: memoryLimit),
      disk: try DiskCache(
        folder: DiskCacheConfiguration.standardFolder(named: name), configuration: configuration))
  }

  /// A memory tier for pixels: dropped images are found again while somebody shows them.
  public static func imageMemory(
    limit: Int, count: Int = .max, age: Duration? = nil
  ) -> MemoryCache<String, DecodedImage> {
    MemoryCache(
      limits: .init(cost: limit, count: count, age: age), weakly: { $0.weakReference })
  }

  /// Decoded pixels under `key`, at once; `nil` on a miss.
  public func memoryImage(forKey key: String) -> DecodedImage? { memory?.value(for: key) }

  /// Encoded bytes under `key`; `nil` on a miss. Blocks.
  public func diskEntry(forKey key: String) throws(CacheError) -> DiskEntry? {
    try disk?.entry(for: key)
  }

  /// Keeps pixels in memory, at once.
  public func store(_ image: DecodedImage, forKey key: String) {
    memory?.store(image, cost: image.byteCount, for: key)
  }

  /// Keeps encoded bytes on disk. Blocks.
  public func store(
    _ bytes: ImageBytes, response: ImageResponse?, forKey key: String
  ) throws(CacheError) {
    try disk?.store(bytes, response: response, for: key)
  }

  /// Forgets the original under `key` and all that was made from it: image keys begin with it.
  public func remove(forKey key: String) throws(CacheError) {
    memory?.removeAll { $0 == key || $0.hasPrefix(key + RequestKeys.separator) }
    disk?.remove(key)
  }

  /// Forgets everything. Blocks.
  public func removeAll() throws(CacheError) {
    memory?.removeAll()
    try disk?.removeAll()
  }
}
