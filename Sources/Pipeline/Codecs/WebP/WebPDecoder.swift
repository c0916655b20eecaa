/// Decodes WebP: lossy, lossless, with alpha, animated.
public struct WebPDecoder: ImageDecoder {
  /// Makes the decoder.
  public init() {}

  /// `WebP`.
  public var format: ImageFormat { .webp }

  /// Whether the bytes begin with a RIFF header that names WebP.
  public func accepts(prefix: [UInt8]) -> Bool { FormatSniffer.format(of: prefix) == .webp }

  /// What the header says, known once the pixels begin. The frames of an animation and the
  /// orientation are known at the end.
  public func probe(_ bytes: ImageBytes) throws(DecodeError) -> ImageProbe? {
    var scan = WebPScan()
    try bytes.withUnsafeBytes { buffer throws(DecodeError) in
      try scan.advance(over: buffer, limits: .none)
    }
    guard let size = scan.size, scan.hasPixels else { return nil }
    return ImageProbe(
      format: .webp, storedSize: size, orientation: scan.orientation,
      frameCount: !scan.isAnimated ? 1 : scan.isEnded ? scan.frames.count : nil,
      hasAlpha: scan.hasAlpha, profileName: scan.profile.flatMap(ColorConversion.name))
  }

  /// Opens a session; rows and frames are decoded as their bytes come.
  public func makeSession(options: DecodingOptions) -> any DecodingSession {
    WebPSession(options: options)
  }
}
