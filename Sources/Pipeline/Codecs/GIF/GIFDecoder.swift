/// Decodes GIF, still and animated.
public struct GIFDecoder: ImageDecoder {
  /// Makes the decoder.
  public init() {}

  /// `GIF`.
  public var format: ImageFormat { .gif }

  /// Whether the bytes begin with `GIF87a` or `GIF89a`.
  public func accepts(prefix: [UInt8]) -> Bool { FormatSniffer.format(of: prefix) == .gif }

  /// Opens a session; the first frame is decoded as its bytes come, the others when asked for.
  public func makeSession(options: DecodingOptions) -> any DecodingSession {
    GIFSession(options: options)
  }
}
