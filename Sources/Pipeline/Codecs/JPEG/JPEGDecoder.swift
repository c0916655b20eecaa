/// Decodes JPEG: baseline, progressive and arithmetic; gray, RGB, CMYK and YCCK; 8 bits.
public struct JPEGDecoder: ImageDecoder {
  /// Makes the decoder.
  public init() {}

  /// `JPEG`.
  public var format: ImageFormat { .jpeg }

  /// Whether the bytes begin with a start-of-image marker.
  public func accepts(prefix: [UInt8]) -> Bool { FormatSniffer.format(of: prefix) == .jpeg }

  /// Opens a session; rows are decoded as their bytes come, scans of a progressive picture too.
  public func makeSession(options: DecodingOptions) -> any DecodingSession {
    JPEGSession(options: options)
  }
}
