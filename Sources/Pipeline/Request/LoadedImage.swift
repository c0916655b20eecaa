/// The end of a load: pixels, and what is known of how they came.
public struct LoadedImage: Sendable {
  /// The pixels.
  public let image: DecodedImage
  /// The bytes they were made from, when at hand (not on a memory hit).
  public let encoded: EncodedImage?
  /// Where they came from.
  public let origin: ImageOrigin
  /// What was asked.
  public let request: ImageRequest
  /// Times and counts of this load.
  public let metrics: LoadMetrics

  /// Describes a loaded image.
  public init(
    image: DecodedImage, encoded: EncodedImage?, origin: ImageOrigin, request: ImageRequest,
    metrics: LoadMetrics
  ) {
    self.image = image
    self.encoded = encoded
    self.origin = origin
    self.request = request
    self.metrics = metrics
  }

  /// The picture, or the first frame.
  public var bitmap: Bitmap { image.bitmap }
}
