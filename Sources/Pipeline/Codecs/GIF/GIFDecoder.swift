/// Decodes GIF, still and animated.
public struct GIFDecoder: ImageDecoder {
  /// Makes the decoder.
  public init() {}

  /// `GIF`.
  public var format: ImageFormat { .gif }

  /// Whether the bytes begin with `GIF87a` or `GIF89a`.
  public func accepts(prefix: [UInt8]) -> Bool { FormatSniffer.format(of: prefix) == .gif }

  /// What the header says, known once the first frame begins; `frameCount` is known at the end, and
  /// `hasAlpha` tells of the frames that have come.
  public func probe(_ bytes: ImageBytes) throws(DecodeError) -> ImageProbe? {
    var scan = GIFScan()
    try bytes.withUnsafeBytes { buffer throws(DecodeError) in
      try scan.advance(over: buffer, limits: .none)
    }
    guard let size = scan.canvas else {
      guard !scan.isEnded else { throw .corrupt(.gif, reason: "it has no frame") }
      return nil
    }
    return ImageProbe(
      format: .gif, storedSize: size, frameCount: scan.isEnded ? scan.frames.count : nil,
      hasAlpha: scan.hasAlpha)
  }

  /// Opens a session; the first frame is decoded as its bytes come, the others when asked for.
  public func makeSession(options: DecodingOptions) -> any DecodingSession {
    GIFSession(options: options)
  }
}
