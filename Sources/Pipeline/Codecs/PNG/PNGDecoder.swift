/// Decodes PNG, all colour types and depths, interlaced or not, and its animated form APNG.
public struct PNGDecoder: ImageDecoder {
  /// Makes the decoder.
  public init() {}

  /// `PNG`.
  public var format: ImageFormat { .png }
  /// Those of PNG and of APNG.
  public var mediaTypes: [String] { ["image/png", "image/apng"] }

  /// Whether the bytes begin with PNG's signature.
  public func accepts(prefix: [UInt8]) -> Bool { FormatSniffer.format(of: prefix) == .png }

  /// What the chunks before the pixels say; `profileName` is the one its chunk begins with.
  public func probe(_ bytes: ImageBytes) throws(DecodeError) -> ImageProbe? {
    try bytes.withUnsafeBytes { buffer throws(DecodeError) in
      var offset = PNGChunk.signature.count
      var probe: ImageProbe?
      while let chunk = try PNGChunk.head(at: offset, in: buffer), chunk.type != PNGChunk.data {
        guard chunk.range.upperBound <= buffer.count else { return nil }
        let data = UnsafeRawBufferPointer(rebasing: buffer[chunk.data])
        if probe == nil { probe = try Self.probe(header: data, of: chunk) }
        switch chunk.type {
        case PNGChunk.transparency: probe?.hasAlpha = true
        case PNGChunk.exif: probe?.orientation = ExifOrientation.readNamed(data) ?? .up
        case PNGChunk.animation where data.count >= 8:
          probe?.frameCount = Int(data.bigEndian32(at: 0))
        case PNGChunk.profile:
          probe?.profileName = String(decoding: data.prefix { $0 != 0 }, as: UTF8.self)
        case PNGChunk.end: throw .corrupt(.png, reason: "there are no pixels")
        default: break
        }
        offset = chunk.range.upperBound
      }
      return offset + 8 <= buffer.count ? probe : nil
    }
  }

  private static func probe(
    header data: UnsafeRawBufferPointer, of chunk: PNGChunk
  ) throws(DecodeError) -> ImageProbe {
    guard chunk.type == PNGChunk.header, data.count == 13 else {
      throw .corrupt(.png, reason: "it does not begin with a header")
    }
    let size = PixelSize(
      width: Int(data.bigEndian32(at: 0)), height: Int(data.bigEndian32(at: 4)))
    guard size.width > 0, size.height > 0 else {
      throw .corrupt(.png, reason: "it has no width or no height")
    }
    return ImageProbe(format: .png, storedSize: size, hasAlpha: data[9] & 4 != 0)
  }

  /// Opens a session; rows are decoded as their bytes come.
  public func makeSession(options: DecodingOptions) -> any DecodingSession {
    PNGSession(options: options)
  }
}
