/// Decodes JPEG: baseline, progressive and arithmetic; gray, RGB, CMYK and YCCK; 8 bits.
public struct JPEGDecoder: ImageDecoder {
  /// Makes the decoder.
  public init() {}

  /// `JPEG`.
  public var format: ImageFormat { .jpeg }

  /// Whether the bytes begin with a start-of-image marker.
  public func accepts(prefix: [UInt8]) -> Bool { FormatSniffer.format(of: prefix) == .jpeg }

  /// What the header says, known once the frame's size has come; that of EXIF stands before it.
  public func probe(_ bytes: ImageBytes) throws(DecodeError) -> ImageProbe? {
    let markers = bytes.withUnsafeBytes { JPEGMarkers($0) }
    guard let size = markers.size else {
      guard !markers.isComplete else { throw .corrupt(.jpeg, reason: "its size is missing") }
      return nil
    }
    guard size.width > 0, size.height > 0 else {
      throw .corrupt(.jpeg, reason: "it has no width or no height")
    }
    var profileName: String?
    if case .profile(let bytes) = markers.profile.content {
      profileName = ColorConversion.name(ofProfile: bytes)
    }
    return ImageProbe(
      format: .jpeg, storedSize: size, orientation: markers.orientation ?? .up,
      profileName: profileName)
  }

  /// Opens a session; rows are decoded as their bytes come, scans of a progressive picture too.
  public func makeSession(options: DecodingOptions) -> any DecodingSession {
    JPEGSession(options: options)
  }
}
