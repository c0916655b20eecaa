/// Times and counts of one load. Stages that did not run are `nil`.
public struct LoadMetrics: Sendable, Hashable {
  /// Looking into the caches.
  public var lookup: Duration?
  /// From the request to the last byte.
  public var download: Duration?
  /// Bytes to pixels.
  public var decode: Duration?
  /// Pixels to pixels.
  public var transform: Duration?
  /// Writing to the caches.
  public var store: Duration?
  /// Body bytes.
  public var byteCount = 0
  /// When what was measured happened.
  public var moments = LoadMoments()

  /// Nothing measured yet.
  public init() {}
}
