/// Decodes PNG, all colour types and depths, interlaced or not, and its animated form APNG.
public struct PNGDecoder: ImageDecoder {
  /// Makes the decoder.
  public init() {}

  /// `PNG`.
  public var format: ImageFormat { .png }

  /// Whether the bytes begin with PNG's signature.
  public func accepts(prefix: [UInt8]) -> Bool { FormatSniffer.format(of: prefix) == .png }

  /// Opens a session; rows are decoded as their bytes come.
  public func makeSession(options: DecodingOptions) -> any DecodingSession {
    PNGSession(options: options)
  }
}
