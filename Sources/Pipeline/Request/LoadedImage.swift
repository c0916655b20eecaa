/// The end of a load: pixels, and what is known of how they came.
public struct LoadedImage: Sendable {
  /// The pixels.
  public internal(set) var image: DecodedImage
  /// The bytes they were made from, when at hand (not on a memory hit).
  public internal(set) var encoded: EncodedImage?
  /// Where they came from.
  public let origin: ImageOrigin
  /// What was asked.
  public internal(set) var request: ImageRequest
  /// Times and counts of this load.
  public internal(set) var metrics: LoadMetrics
  /// Keys of the transforms done to the pixels, in order.
  public internal(set) var appliedTransforms: [String]

  /// Describes a loaded image.
  public init(
    image: DecodedImage, encoded: EncodedImage?, origin: ImageOrigin, request: ImageRequest,
    metrics: LoadMetrics, appliedTransforms: [String] = []
  ) {
    self.image = image
    self.encoded = encoded
    self.origin = origin
    self.request = request
    self.metrics = metrics
    self.appliedTransforms = appliedTransforms
  }

  /// The picture, or the first frame.
  public var bitmap: Bitmap { image.bitmap }
}
