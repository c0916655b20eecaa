/// The bytes of an image as they came, complete or still growing.
public struct EncodedImage: Sendable {
  /// What has arrived; a later event holds the same bytes and more.
  public let bytes: ImageBytes
  /// Whether these are all.
  public let isComplete: Bool
  /// The response they came in; `nil` for files, `data:` URLs and bytes at hand.
  public let response: ImageResponse?
  /// Where they came from.
  public let origin: ImageOrigin
  /// Which run of bytes this is: bytes of one revision extend each other. When it changes within a
  /// load, the transfer began again and what was fed to a decoder before is void.
  public let revision: UInt64
  /// How the transfer went; only with complete bytes from the network.
  public let metrics: TransferMetrics?
  /// What the cache had to say of them; `nil` where no cache was asked.
  public var verdict: CacheVerdict?
  /// The response with the times it was had, where it comes from a cache.
  var times: StoredResponse?
  /// Whether they are a kept result of transforms rather than what the source gave.
  var isResult = false

  /// Describes bytes.
  public init(
    bytes: ImageBytes, isComplete: Bool = true, response: ImageResponse? = nil,
    origin: ImageOrigin, revision: UInt64 = 0, metrics: TransferMetrics? = nil
  ) {
    self.bytes = bytes
    self.isComplete = isComplete
    self.response = response
    self.origin = origin
    self.revision = revision
    self.metrics = metrics
  }
}

/// Where an image came from.
public enum ImageOrigin: String, Sendable, Hashable, Codable {
  /// Decoded pixels were in memory.
  case memory
  /// Bytes were in the disk cache.
  case disk
  /// Bytes came over the network.
  case network
  /// Bytes came from a file, a `data:` URL, or the request itself.
  case local
}
