import Testing

@testable import Pipeline

/// However bytes come, the pixels are the same.
@Suite(
  .enabled(if: CorpusManifest.folder != nil, "needs the image corpus: set IMAGE_CORPUS to it"))
struct SessionIdentityTests {
  @Test(arguments: CorpusManifest.files)
  func `one byte at a time gives the same pixels, or the same error`(
    _ file: CorpusManifest.File
  ) throws {
    let bytes = try file.read()
    for acceptsPartial in [false, true] {
      // What is cut has two readings; what is whole has one.
      guard !acceptsPartial || !file.isPicture || file.expected.partial == true else { continue }
      var options = DecodingOptions()
      options.acceptsPartial = acceptsPartial
      let whole = outcome { try DecoderRegistry.standard.decode(bytes, options: options) }
      let fed = outcome {
        // Large files by more than one byte, for the time it takes.
        let step = max(1, bytes.count >> 18)
        return try feed(bytes, cuts: stride(from: 1, to: bytes.count, by: step), options)
      }
      try expectEqual(fed, whole)
    }
  }

  private func outcome(_ body: () throws -> DecodedImage) -> Result<DecodedImage, DecodeError> {
    do { return .success(try body()) } catch {
      return .failure(error as? DecodeError ?? .cancelled)
    }
  }

  private func expectEqual(
    _ fed: Result<DecodedImage, DecodeError>, _ whole: Result<DecodedImage, DecodeError>
  ) throws {
    switch (fed, whole) {
    case (.failure(let fed), .failure(let whole)): #expect(fed == whole)
    case (.success(let fed), .success(let whole)):
      #expect(fed.bitmap == whole.bitmap && fed.frameCount == whole.frameCount)
      #expect(fed.orientation == whole.orientation && fed.notes == whole.notes)
      #expect(fed.isComplete == whole.isComplete && fed.format == whole.format)
      #expect(fed.animation?.delays == whole.animation?.delays)
      #expect(fed.animation?.loopCount == whole.animation?.loopCount)
      for index in 0..<min(40, whole.frameCount) {
        let frames = [fed, whole].map { image in
          outcome { DecodedImage(bitmap: try frame(index, of: image), format: image.format) }
        }
        switch (frames[0], frames[1]) {
        case (.success(let left), .success(let right)): #expect(left.bitmap == right.bitmap)
        case (.failure(let left), .failure(let right)): #expect(left == right)
        default: Issue.record("frame \(index): \(frames)")
        }
      }
    default: Issue.record("\(fed) instead of \(whole)")
    }
  }

  private func frame(_ index: Int, of image: DecodedImage) throws -> Bitmap {
    try image.animation?.frame(at: index) ?? image.bitmap
  }

  private func feed(
    _ bytes: ImageBytes, cuts: some Sequence<Int>, _ options: DecodingOptions
  ) throws -> DecodedImage {
    let prefix = bytes.prefix(FormatSniffer.wantedByteCount)
    let session = try DecoderRegistry.standard.decoder(for: prefix).makeSession(options: options)
    for cut in cuts { try session.append(bytes.beginning(cut)) }
    try session.append(bytes)
    return try session.finishChecked(options)
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
