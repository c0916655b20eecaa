/// What the cache stages ask of a cache. Conform to put one of your own in place of `ImageCache`.
///
/// Keys of pixels are `RequestKeys.image`, those of bytes `RequestKeys.original`; a variant names
/// bytes that belong to an original without being it, and is empty for the original.
public protocol ImageCaching: Sendable {
  /// Decoded pixels under `key`, at once and on the caller's thread; `nil` on a miss.
  func pixels(forKey key: String) -> CachedPixels?

  /// Keeps pixels in memory, at once.
  func store(_ pixels: CachedPixels, forKey key: String)

  /// Forgets all pixels made from the original under `key`, at once.
  func removePixels(madeFrom key: String)

  /// The same, but for the pixels under `kept`, which are newer. Unless implemented, they are put back.
  func removePixels(madeFrom key: String, keeping kept: String)

  /// Encoded bytes under `key`; `nil` on a miss. Blocks: call it on a worker.
  ///
  /// - Throws: `CacheError` when the tier can not be read.
  func diskEntry(forKey key: String, variant: String) throws(CacheError) -> DiskEntry?

  /// Keeps encoded bytes on disk. Blocks: call it on a worker.
  ///
  /// - Throws: `CacheError` when they could not be written; nothing of them remains.
  func store(
    _ bytes: ImageBytes, response: StoredResponse?, forKey key: String, variant: String
  ) throws(CacheError)

  /// Whether this load is the one to fetch `key`, or another process fetches it already. Blocks.
  ///
  /// Unless implemented, nobody else does.
  func fetchTurn(forKey key: String) -> FetchTurn

  /// Forgets an original and all that was made from it, in every tier. Blocks.
  func remove(forKey key: String) throws(CacheError)

  /// Forgets the bytes that were made of a former original under `key`, and leaves the original. Blocks.
  ///
  /// Unless implemented, they stay until they age out.
  func removeVariants(ofKey key: String)

  /// Forgets everything, in every tier. Blocks.
  func removeAll() throws(CacheError)

  /// Seconds since 1970, by which responses age; the system's unless implemented.
  var now: Int { get }
}

extension ImageCaching {
  /// Takes the pixels under `kept` out and puts them back.
  public func removePixels(madeFrom key: String, keeping kept: String) {
    let pixels = pixels(forKey: kept)
    removePixels(madeFrom: key)
    if let pixels { store(pixels, forKey: kept) }
  }

  /// They stay until they age out.
  public func removeVariants(ofKey key: String) {}

  /// Nobody else fetches.
  public func fetchTurn(forKey key: String) -> FetchTurn { .free }

  /// The system's clock.
  public var now: Int { Int(DiskCacheConfiguration.systemTime() / 1_000_000_000) }

  /// The image of the pixels under `key`; `nil` on a miss.
  public func memoryImage(forKey key: String) -> DecodedImage? { pixels(forKey: key)?.image }

  /// Keeps pixels in memory that came in no response.
  public func store(_ image: DecodedImage, forKey key: String) {
    store(CachedPixels(image), forKey: key)
  }

  /// The original bytes under `key`; `nil` on a miss. Blocks.
  public func diskEntry(forKey key: String) throws(CacheError) -> DiskEntry? {
    try diskEntry(forKey: key, variant: "")
  }

  /// Keeps original bytes on disk. Blocks.
  public func store(
    _ bytes: ImageBytes, response: StoredResponse?, forKey key: String
  ) throws(CacheError) {
    try store(bytes, response: response, forKey: key, variant: "")
  }
}
