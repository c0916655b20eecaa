import Pipeline
import Testing

struct ProbeTests {
  @Test(arguments: CodecFixtures.encoders.indices)
  func `a header is known from few bytes, and needs no more`(_ index: Int) throws {
    let encoder = CodecFixtures.encoders[index].encoder
    let bytes = try encoder.encode(CodecFixtures.picture(width: 300, height: 200))
    let needed = try #require(
      try (16...bytes.count).first {
        try DecoderRegistry.standard.probe(bytes.beginning($0)) != nil
      }
    )
    #expect(needed < 1_024)
    let probe = try DecoderRegistry.standard.probe(bytes.beginning(needed))
    #expect(probe?.format == encoder.format)
    #expect(probe?.size == PixelSize(width: 300, height: 200))
  }

  @Test(
    .enabled(if: CorpusManifest.folder != nil, "needs the image corpus: set IMAGE_CORPUS to it"),
    arguments: CorpusManifest.files.filter { $0.isPicture && $0.expected.partial != true })
  func `probing says what decoding gives`(_ file: CorpusManifest.File) throws {
    let bytes = try file.read()
    let probe = try #require(try DecoderRegistry.standard.probe(bytes))
    guard let image = try? DecoderRegistry.standard.decode(bytes) else { return }
    #expect(probe.format == image.format)
    #expect(probe.hasAlpha == image.bitmap.hasAlpha)
    // Without its end mark a GIF might go on.
    if file.expected.framesMin == nil, probe.frameCount != nil || file.kind != "bad" {
      #expect(probe.frameCount == image.frameCount)
    }
    // A PNG's orientation may stand behind its pixels.
    if probe.orientation == image.orientation { #expect(probe.size == image.size) }
    #expect(probe.orientation == image.orientation || image.format == .png)
  }

  @Test func `a bomb can be probed, not decoded`() throws {
    let bytes = HandmadeFiles.grayJPEG(width: 60_000, height: 60_000).beginning(200)
    let probe = try DecoderRegistry.standard.probe(bytes)
    #expect(probe?.size == PixelSize(width: 60_000, height: 60_000))
    #expect(throws: DecodeError.self) { try DecoderRegistry.standard.decode(bytes) }
  }
}
