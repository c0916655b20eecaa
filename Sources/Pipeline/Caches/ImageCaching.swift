/// What the cache stages ask of a cache. Conform to put one of your own in place of `ImageCache`.
///
/// Keys of pixels are `RequestKeys.image`, those of bytes `RequestKeys.original`.
public protocol ImageCaching: Sendable {
  /// Decoded pixels under `key`, at once and on the caller's thread; `nil` on a miss.
  func memoryImage(forKey key: String) -> DecodedImage?

  /// Encoded bytes under `key`; `nil` on a miss. Blocks: call it on a worker.
  ///
  /// - Throws: `CacheError` when the tier can not be read.
  func diskEntry(forKey key: String) throws(CacheError) -> DiskEntry?

  /// Keeps pixels in memory, at once.
  func store(_ image: DecodedImage, forKey key: String)

  /// Keeps encoded bytes on disk. Blocks: call it on a worker.
  ///
  /// - Throws: `CacheError` when they could not be written; nothing of them remains.
  func store(
    _ bytes: ImageBytes, response: ImageResponse?, forKey key: String
  ) throws(CacheError)

  /// Forgets an original and all that was made from it, in every tier. Blocks.
  func remove(forKey key: String) throws(CacheError)

  /// Forgets everything, in every tier. Blocks.
  func removeAll() throws(CacheError)
}
