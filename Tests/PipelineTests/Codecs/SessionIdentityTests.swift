import Pipeline
import Testing

/// However bytes come, the pixels are the same.
@Suite(
  .enabled(if: CorpusManifest.folder != nil, "needs the image corpus: set IMAGE_CORPUS to it"))
struct SessionIdentityTests {
  /// Files small enough to be fed byte by byte, and still pictures or animations of them.
  private static let small = CorpusManifest.files.filter {
    $0.isPicture && $0.expected.partial != true
      && $0.bytes < 64 << 10
  }

  @Test(arguments: small)
  func `one byte at a time gives the same pixels`(_ file: CorpusManifest.File) throws {
    let bytes = try file.read()
    let whole = try DecoderRegistry.standard.decode(bytes)
    #expect(try decode(bytes, cuts: 1..<bytes.count) == whole.bitmap)
  }

  @Test(arguments: CorpusManifest.files.filter { $0.isPicture && $0.expected.partial != true })
  func `random chunks with previews between give the same pixels`(
    _ file: CorpusManifest.File
  ) throws {
    let bytes = try file.read()
    let whole = try DecoderRegistry.standard.decode(bytes)
    var random = SeededGenerator(seed: UInt64(bytes.count))
    for round in 0..<2 {
      let cuts = (0..<12).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
      let pixels = try decode(bytes, cuts: cuts, previewing: round == 1, size: whole.size)
      #expect(pixels == whole.bitmap)
    }
  }

  /// Decodes `bytes` given up to each cut in turn, from memory that moves between.
  private func decode(
    _ bytes: ImageBytes, cuts: some Sequence<Int>, previewing: Bool = false,
    size: PixelSize? = nil
  ) throws -> Bitmap {
    let prefix = bytes.prefix(FormatSniffer.wantedByteCount)
    let decoder = try DecoderRegistry.standard.decoder(for: prefix)
    let session = decoder.makeSession(options: DecodingOptions())
    var moves = false
    for cut in cuts {
      let part = bytes.beginning(cut)
      try session.append(moves && previewing ? ImageBytes(part.prefix(cut)) : part)
      moves.toggle()
      if previewing, let preview = session.preview(), let size, decoder.format != .webp {
        #expect(preview.size == size)
      }
    }
    try session.append(bytes)
    return try session.finish().bitmap
  }
}

/// The same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
