/// The end of a load: pixels, and what is known of how they came.
///
/// Copying it is cheap.
public struct LoadedImage: Sendable {
  /// The image, in one reference.
  private var pixels: CachedPixels
  private var bytes: Bytes?
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
    self.init(
      CachedPixels(image), origin: origin, request: request, metrics: metrics,
      appliedTransforms: appliedTransforms)
    self.encoded = encoded
  }

  /// Describes an image whose bytes are not at hand.
  init(
    _ pixels: CachedPixels, origin: ImageOrigin, request: ImageRequest, metrics: LoadMetrics,
    appliedTransforms: [String]
  ) {
    self.pixels = pixels
    self.origin = origin
    self.request = request
    self.metrics = metrics
    self.appliedTransforms = appliedTransforms
  }

  /// The pixels.
  public internal(set) var image: DecodedImage {
    get { pixels.image }
    set { pixels = CachedPixels(newValue) }
  }

  /// The bytes they were made from, when at hand (not on a memory hit).
  public internal(set) var encoded: EncodedImage? {
    get { bytes?.encoded }
    set { bytes = newValue.map(Bytes.init) }
  }

  /// The picture, or the first frame.
  public var bitmap: Bitmap { pixels.image.bitmap }

  private final class Bytes: Sendable {
    let encoded: EncodedImage

    init(_ encoded: EncodedImage) { self.encoded = encoded }
  }
}
