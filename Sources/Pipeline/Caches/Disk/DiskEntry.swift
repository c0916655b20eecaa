/// What a tier holds under a key: bytes, and the response they came in.
public struct DiskEntry: Sendable {
  /// The bytes, unchanged. Large ones are a view of the file: they stay readable after the entry is
  /// removed, and take memory only where they are read.
  public let bytes: ImageBytes
  /// When they were stored, in milliseconds since 1970.
  public let storedAt: Int64
  private let metadata: ImageBytes

  init(bytes: ImageBytes, storedAt: Int64, metadata: ImageBytes) {
    self.bytes = bytes
    self.storedAt = storedAt
    self.metadata = metadata
  }

  /// The response they came in with the times it was had, read from the entry at each call; `nil`
  /// if none was stored.
  public var stored: StoredResponse? {
    metadata.withUnsafeBytes { ResponseRecord.decode($0) }
  }

  /// The response they came in; `nil` if none was stored.
  public var response: ImageResponse? { stored?.response }
}
