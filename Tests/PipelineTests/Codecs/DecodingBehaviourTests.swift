import TestSupport
import Testing

@testable import Pipeline

/// What loaders before this one promised (B…) or got wrong (R…), for single pictures.
struct DecodingBehaviourTests {
  private static let photo = CodecFixtures.picture(width: 120, height: 90)

  @Test func `the signature decides, whatever the name (B121, B122)`() throws {
    let bytes = try PNGEncoder().encode(Self.photo)
    #expect(try DecoderRegistry.standard.decode(bytes).format == .png)
    #expect(FormatSniffer.format(of: [0xFF, 0xD8, 0xFF]) == .jpeg)
    #expect(throws: DecodeError.unsupportedFormat(name: "HTML")) {
      try DecoderRegistry.standard.decode(ImageBytes("<!doctype html><p>no".utf8))
    }
  }

  @Test func `no bytes are an error of their own (B120, B125)`() {
    #expect(throws: DecodeError.empty) { try DecoderRegistry.standard.decode(ImageBytes()) }
  }

  @Test func `a picture without pixels is an error (B133)`() {
    let flat = HandmadeFiles.grayJPEG(width: 8, height: 0)
    let gif = ImageBytes(Array("GIF89a".utf8) + [0, 0, 0, 0, 0, 0, 0, 0x3B])
    for bytes in [flat, gif] {
      #expect(throws: DecodeError.self) { try DecoderRegistry.standard.decode(bytes) }
    }
  }

  @Test(arguments: [JPEGEncoder(isProgressive: true) as any ImageEncoder, PNGEncoder(level: 0)])
  func `a preview has the whole size, missing rows blank (B99, B101, R076)`(
    _ encoder: any ImageEncoder
  ) throws {
    let bytes = try encoder.encode(Self.photo)
    let decoder = try DecoderRegistry.standard.decoder(for: bytes.prefix(16))
    let session = decoder.makeSession(options: DecodingOptions())
    try session.append(bytes.beginning(bytes.count * 2 / 3))
    let preview = try #require(session.preview())
    #expect(preview.size == Self.photo.size)
    #expect(preview[0, 0].alpha == 255)
    if encoder.format == .png { #expect(preview[60, 89] == .clear) }
    try session.append(bytes)
    #expect(try session.finish().size == preview.size)
  }

  @Test func `with previews on, every format ends as without them (R080, B97, B104, B106)`()
    async throws
  {
    let server = try FaultServer()
    for (index, (name, encoder, _)) in CodecFixtures.encoders.enumerated() {
      let bytes = try encoder.encode(Self.photo)
      server.serve("/\(index)", bytes.prefix(bytes.count))
      var request = ImageRequest(server.url("/\(index)"))
      let without = try await ImagePipeline().image(for: request)
      request.decoding.previews = true
      var images: [LoadedImage] = []
      for try await event in ImagePipeline().events(for: request) {
        // A preview never comes behind the image, nor an image twice.
        if case .preview(let preview) = event {
          #expect(images.isEmpty && preview.size == Self.photo.size && !preview.isComplete)
        }
        if case .image(let loaded) = event { images.append(loaded) }
      }
      #expect(images.count == 1, "\(name)")
      #expect(images.first?.bitmap == without.bitmap && images.first?.image.isComplete == true)
    }
  }

  @Test func `part of a picture is never stored (B107)`() async throws {
    let bytes = try PNGEncoder().encode(Self.photo)
    let fixture = try PipelineFixture()
    fixture.server.serve("/cut", bytes.prefix(bytes.count * 2 / 3))
    var request = ImageRequest(fixture.server.url("/cut"))
    request.decoding.acceptsPartial = true
    for _ in 0..<2 {
      let loaded = try await fixture.pipeline.image(for: request)
      #expect(!loaded.image.isComplete && loaded.origin == .network)
    }
    #expect(fixture.server.counts.hits("/cut") == 2)
  }

  @Test(arguments: Orientation.allCases)
  func `all orientations come upright once, in full, small and as preview (R078, R111, B102)`(
    _ orientation: Orientation
  ) throws {
    // A red corner at the top left of what is stored.
    let stored = Bitmap(size: PixelSize(width: 96, height: 64), hasAlpha: false) { bytes in
      for y in 0..<64 {
        for x in 0..<96 {
          let start = (y * 96 + x) * 4
          bytes[start] = x < 32 && y < 32 ? 255 : 0
          bytes[start + 3] = 255
        }
      }
    }
    let metadata = ImageMetadata(
      exif: ImageBytes(EncoderTests.exif(orientation: UInt8(orientation.rawValue))))
    let corners: [Orientation: (right: Bool, bottom: Bool)] = [
      .up: (false, false), .upMirrored: (true, false), .down: (true, true),
      .downMirrored: (false, true), .leftMirrored: (false, false), .right: (true, false),
      .rightMirrored: (true, true), .left: (false, true),
    ]
    let corner = try #require(corners[orientation])
    for encoder in [
      JPEGEncoder(quality: 95, isProgressive: true, metadata: metadata) as any ImageEncoder,
      PNGEncoder(usesPalette: false, metadata: metadata), WebPEncoder(metadata: metadata),
    ] {
      let bytes = try encoder.encode(stored)
      var small = DecodingOptions()
      small.targetSize = orientation.turning(PixelSize(width: 24, height: 16))
      let images = [
        try DecoderRegistry.standard.decode(bytes).bitmap,
        try DecoderRegistry.standard.decode(bytes, options: small).bitmap,
      ]
      #expect(images[0].size == orientation.turning(stored.size))
      // A WebP says only behind its pixels whether sides change places, so it keeps more.
      let smallest = PixelSize(width: 24, height: 16)
      let kept = encoder.format == .webp ? PixelSize(width: 36, height: 24) : smallest
      #expect(images[1].size == orientation.turning(kept))
      for bitmap in images {
        let pixel = bitmap[
          corner.right ? bitmap.width - 3 : 2, corner.bottom ? bitmap.height - 3 : 2]
        #expect(pixel.red > 200, "\(encoder.format), \(bitmap.size)")
      }
    }
  }

  @Test func `sixteen bits come out near eight, shrunk too (R117)`() throws {
    for channels in [3, 4] {
      let bytes = HandmadeFiles.png16(width: 64, height: 48, channels: channels) { x, y, channel in
        channel == 3 ? .max : UInt16(x * 1_000 + y * 20 + channel * 300)
      }
      for target in [nil, PixelSize(width: 16, height: 12)] {
        var options = DecodingOptions()
        options.targetSize = target
        let bitmap = try DecoderRegistry.standard.decode(bytes, options: options).bitmap
        let middle = bitmap[bitmap.width / 2, bitmap.height / 2]
        let wanted = (32.0 * 1_000 + 24 * 20) / 257
        #expect(abs(Double(middle.red) - wanted) < 8)
        #expect(bitmap.size == target ?? PixelSize(width: 64, height: 48))
      }
    }
  }

  @Test func `shrinking leaves no fringes at transparent edges (R118)`() throws {
    for (inside, outside) in [(UInt8(255), UInt8(0)), (0, 255)] {
      let shape = Bitmap(size: PixelSize(width: 64, height: 64)) { bytes in
        for pixel in 0..<(64 * 64) {
          let isInside = (10..<50).contains(pixel % 64) && (10..<50).contains(pixel / 64)
          for channel in 0..<3 { bytes[pixel * 4 + channel] = isInside ? inside : outside }
          bytes[pixel * 4 + 3] = isInside ? 255 : 0
        }
      }
      var options = DecodingOptions()
      options.targetSize = PixelSize(width: 16, height: 16)
      let bytes = try PNGEncoder(usesPalette: false).encode(shape)
      let small = try DecoderRegistry.standard.decode(bytes, options: options).bitmap
      for y in 0..<16 {
        for x in 0..<16 where small[x, y].alpha > 0 { #expect(small[x, y].red == inside) }
      }
    }
  }

  @Test func `a huge JPEG shrinks while it is decoded (R119, B135, B227)`() throws {
    let bytes = HandmadeFiles.grayJPEG(width: 15_000, height: 15_000)
    #expect(throws: DecodeError.self) { try DecoderRegistry.standard.decode(bytes) }
    var options = DecodingOptions()
    options.limits.pixels = 300_000_000
    options.targetSize = PixelSize(width: 200, height: 200)
    let image = try DecoderRegistry.standard.decode(bytes, options: options)
    #expect(image.size == PixelSize(width: 1_875, height: 1_875))
    #expect(image.bitmap[900, 1_800] == Pixel(red: 128, green: 128, blue: 128))
  }

  @Test(arguments: CodecFixtures.encoders.indices)
  func `a target size is covered, and not by more than needed`(_ index: Int) throws {
    let encoder = CodecFixtures.encoders[index].encoder
    let bytes = try encoder.encode(CodecFixtures.picture(width: 400, height: 300))
    for width in [10, 47, 100, 133, 390, 400, 500] {
      var options = DecodingOptions()
      options.targetSize = PixelSize(width: width, height: width * 3 / 4)
      let size = try DecoderRegistry.standard.decode(bytes, options: options).size
      #expect(size.width >= min(400, width) && size.width <= 400)
      #expect(size.height >= min(300, width * 3 / 4))
      #expect(size.width < width * 2 || encoder.format == .jpeg && width < 50 || width > 200)
    }
  }

  @Test func `four colours without Adobe's marker are not inverted (R113)`() {
    var pixels: [UInt8] = [0, 255, 255, 0, 0, 0, 0, 255]
    pixels.withUnsafeMutableBufferPointer {
      FourColorArithmetic(isInverted: false).convert($0.baseAddress!, count: 2)
    }
    #expect(pixels == [255, 0, 0, 255, 0, 0, 0, 255])
  }

  @Test func `a cancelled session stops`() throws {
    for encoder in [JPEGEncoder() as any ImageEncoder, PNGEncoder(), GIFEncoder(), WebPEncoder()] {
      let bytes = try encoder.encode(Self.photo)
      let decoder = try DecoderRegistry.standard.decoder(for: bytes.prefix(16))
      let session = decoder.makeSession(options: DecodingOptions())
      session.cancellation.cancel()
      #expect(throws: DecodeError.cancelled) {
        try session.append(bytes)
        _ = try session.finish()
      }
    }
  }

  @Test func `the newest decoder is asked first, and may decline (B123)`() throws {
    struct Stub: ImageDecoder {
      var format = ImageFormat(name: "Stub", fileExtension: "stub", mediaType: "image/x-stub")
      var takes: Bool
      func accepts(prefix: [UInt8]) -> Bool { takes }
      func makeSession(options: DecodingOptions) -> any DecodingSession {
        PNGDecoder().makeSession(options: options)
      }
    }
    let png = try PNGEncoder().encode(Self.photo).prefix(16)
    let declines = DecoderRegistry.standard.adding(Stub(takes: false))
    let takes = declines.adding(Stub(takes: true))
    #expect(try declines.decoder(for: png).format == .png)
    #expect(try takes.decoder(for: png).format.name == "Stub")
    #expect(DecoderRegistry.standard.decoders.count == 4)
  }
}
