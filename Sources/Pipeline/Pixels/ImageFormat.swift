/// A kind of encoded image, known by its first bytes.
public struct ImageFormat: Sendable, Hashable, CustomStringConvertible {
  /// The name people use: `JPEG`, `PNG`, `WebP`.
  public let name: String
  /// The usual file name extension, without the dot.
  public let fileExtension: String
  /// The media type, as in `Content-Type`.
  public let mediaType: String

  /// Describes a format of your own.
  public init(name: String, fileExtension: String, mediaType: String) {
    self.name = name
    self.fileExtension = fileExtension
    self.mediaType = mediaType
  }

  /// JPEG, baseline or progressive.
  public static let jpeg = ImageFormat(name: "JPEG", fileExtension: "jpg", mediaType: "image/jpeg")
  /// PNG, still or animated.
  public static let png = ImageFormat(name: "PNG", fileExtension: "png", mediaType: "image/png")
  /// GIF, still or animated.
  public static let gif = ImageFormat(name: "GIF", fileExtension: "gif", mediaType: "image/gif")
  /// WebP, still or animated.
  public static let webp = ImageFormat(name: "WebP", fileExtension: "webp", mediaType: "image/webp")

  /// The name.
  public var description: String { name }
}
