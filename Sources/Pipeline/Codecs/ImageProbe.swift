/// What an image's header says, known without decoding.
public struct ImageProbe: Sendable, Hashable {
  /// What the bytes are.
  public var format: ImageFormat
  /// Width and height as stored, before the orientation is applied.
  public var storedSize: PixelSize
  /// The orientation noted in the bytes that were looked at; a WebP's stands at its end.
  public var orientation: Orientation
  /// Frames; 1 for a still picture, `nil` where only the whole file tells (GIF).
  public var frameCount: Int?
  /// Whether pixels may be less than opaque, by what the header says.
  public var hasAlpha: Bool
  /// The name inside the colour profile; `nil` without a usable profile.
  public var profileName: String?

  /// Describes a header.
  public init(
    format: ImageFormat, storedSize: PixelSize, orientation: Orientation = .up,
    frameCount: Int? = 1, hasAlpha: Bool = false, profileName: String? = nil
  ) {
    self.format = format
    self.storedSize = storedSize
    self.orientation = orientation
    self.frameCount = frameCount
    self.hasAlpha = hasAlpha
    self.profileName = profileName
  }

  /// Width and height of the upright picture.
  public var size: PixelSize { orientation.turning(storedSize) }
}
