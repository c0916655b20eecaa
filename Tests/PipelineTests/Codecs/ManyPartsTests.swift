import Pipeline
import Testing

/// Files of countless parts that mean nothing: what takes longer for each one more would not end.
@Suite(.timeLimit(.minutes(2)))
struct ManyPartsTests {
  private static let picture = CodecFixtures.picture(width: 9, height: 7)

  /// `part` many times, `offset` bytes from the start of `file`.
  private static func padded(
    _ file: ImageBytes, at offset: Int, with part: [UInt8], count: Int = 300_000
  ) -> ImageBytes {
    let bytes = file.prefix(file.count)
    var long = Array(bytes[..<offset])
    long.reserveCapacity(bytes.count + part.count * count)
    for _ in 0..<count { long += part }
    return ImageBytes(long + bytes[offset...])
  }

  private static func files() throws -> [(name: String, bytes: ImageBytes)] {
    let jpeg = try JPEGEncoder().encode(picture)
    let png = try PNGEncoder(usesPalette: false).encode(picture)
    let gif = HandmadeFiles.gif([HandmadeFiles.Frame()])
    // A chunk without data of a kind that is passed over, with its checksum.
    let text: [UInt8] = [0, 0, 0, 0, 0x74, 0x45, 0x58, 0x74, 0x96, 0x42, 0xC5, 0x85]
    return [
      ("APP1", padded(jpeg, at: 2, with: [0xFF, 0xE1, 0, 2])),
      ("APP2", padded(jpeg, at: 2, with: [0xFF, 0xE2, 0, 2])),
      ("COM", padded(jpeg, at: 2, with: [0xFF, 0xFE, 0, 2])),
      ("fill", padded(jpeg, at: 2, with: [0xFF, 0xFF])),
      ("tEXt", padded(png, at: 33, with: text)),
      ("comment", padded(gif, at: 19, with: [0x21, 0xFE, 0])),
    ]
  }

  @Test func `hundreds of thousands of empty parts cost what their bytes cost`() throws {
    for (name, bytes) in try Self.files() {
      let image = try DecoderRegistry.standard.decode(bytes)
      #expect(image.size.width > 0 && image.isComplete, "\(name)")
      #expect(try DecoderRegistry.standard.probe(bytes)?.size == image.size, "\(name)")
    }
  }

  @Test func `of segments, those that are known count, however many others there are`() throws {
    let exif = ImageBytes(EncoderTests.exif(orientation: 6))
    let turned = try JPEGEncoder(metadata: ImageMetadata(exif: exif)).encode(Self.picture)
    let bytes = Self.padded(turned, at: 2, with: [0xFF, 0xE1, 0, 4, 1, 2], count: 5_000)
    #expect(try DecoderRegistry.standard.decode(bytes).orientation == .right)
    var options = DecodingOptions()
    options.limits.ancillaryBytes = 9_000
    #expect(throws: DecodeError.tooMuchMetadata(.jpeg, limit: 9_000)) {
      try DecoderRegistry.standard.decode(bytes, options: options)
    }
  }
}
