/// Pixels, decoded: one bitmap, or the frames of an animation composed on the full canvas.
public struct DecodedImage: Sendable {
  /// The picture, or the first frame.
  public let bitmap: Bitmap
  /// The frames of an animation; `nil` for a still picture.
  public let animation: Animation?
  /// What the bytes were.
  public let format: ImageFormat
  /// The orientation found in the bytes. Already applied to the pixels unless the request kept it.
  public let orientation: Orientation
  /// Pixels per point, from `@2x` or `@3x` in the key; 1 otherwise.
  public var scale: Double
  /// Whether the bytes held the whole picture; `false` only where the request accepts partial ones.
  public let isComplete: Bool
  /// Things worth knowing that are not errors, such as a broken colour profile that was ignored.
  public let notes: [String]

  /// Describes decoded pixels.
  public init(
    bitmap: Bitmap, animation: Animation? = nil, format: ImageFormat,
    orientation: Orientation = .up, scale: Double = 1, isComplete: Bool = true,
    notes: [String] = []
  ) {
    self.bitmap = bitmap
    self.animation = animation
    self.format = format
    self.orientation = orientation
    self.scale = scale
    self.isComplete = isComplete
    self.notes = notes
  }

  /// Size of the canvas, in pixels.
  public var size: PixelSize { bitmap.size }
  /// Number of frames; 1 for a still picture.
  public var frameCount: Int { animation?.frameCount ?? 1 }
  /// Bytes of pixels held in memory.
  public var byteCount: Int { animation?.residentByteCount ?? bitmap.byteCount }
}
