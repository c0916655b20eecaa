/// What an encoder writes beside the pixels; nothing unless told otherwise.
public struct ImageMetadata: Sendable, Equatable {
  /// An EXIF block: a TIFF structure, without the name that JPEG puts before it.
  public var exif: ImageBytes?
  /// An ICC colour profile. The pixels are written as they are, so that it must fit them.
  public var profile: ImageBytes?

  /// No metadata.
  public static let none = ImageMetadata()

  /// Makes metadata.
  public init(exif: ImageBytes? = nil, profile: ImageBytes? = nil) {
    self.exif = exif
    self.profile = profile
  }
}
