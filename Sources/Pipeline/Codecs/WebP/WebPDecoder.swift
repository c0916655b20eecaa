/// Decodes WebP: lossy, lossless, with alpha, animated.
public struct WebPDecoder: ImageDecoder {
  /// Makes the decoder.
  public init() {}

  /// `WebP`.
  public var format: ImageFormat { .webp }

  /// Whether the bytes begin with a RIFF header that names WebP.
  public func accepts(prefix: [UInt8]) -> Bool { FormatSniffer.format(of: prefix) == .webp }

  /// Opens a session; rows are decoded as their bytes come, animations once all have come.
  public func makeSession(options: DecodingOptions) -> any DecodingSession {
    WebPSession(options: options)
  }
}
