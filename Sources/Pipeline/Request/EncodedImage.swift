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

  /// Describes bytes.
  public init(
    bytes: ImageBytes, isComplete: Bool = true, response: ImageResponse? = nil, origin: ImageOrigin
  ) {
    self.bytes = bytes
    self.isComplete = isComplete
    self.response = response
    self.origin = origin
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
