import Pipeline
import Testing

struct EncoderTests {
  @Test(arguments: CodecFixtures.encoders.indices)
  func `what an encoder writes, its decoder reads back`(_ index: Int) throws {
    let (name, encoder, meanError) = CodecFixtures.encoders[index]
    let picture = CodecFixtures.picture(width: 61, height: 43)
    let bytes = try encoder.encode(picture)
    let image = try DecoderRegistry.standard.decode(bytes)
    #expect(image.format == encoder.format)
    #expect(image.size == picture.size)
    #expect(CodecFixtures.meanDifference(image.bitmap, picture) <= meanError, "\(name)")
  }

  @Test(arguments: CodecFixtures.encoders.indices)
  func `a picture of one pixel can be written`(_ index: Int) throws {
    let picture = Bitmap(
      size: PixelSize(width: 1, height: 1), color: Pixel(red: 10, green: 120, blue: 230))
    let bytes = try CodecFixtures.encoders[index].encoder.encode(picture)
    let image = try DecoderRegistry.standard.decode(bytes)
    #expect(CodecFixtures.meanDifference(image.bitmap, picture) <= 4)
  }

  @Test func `alpha is kept exactly by PNG and by lossless WebP`() throws {
    let picture = CodecFixtures.picture(width: 40, height: 30, hasAlpha: true)
    for encoder in [PNGEncoder(), PNGEncoder(usesPalette: false)] {
      let image = try DecoderRegistry.standard.decode(try encoder.encode(picture))
      #expect(image.bitmap == picture)
      #expect(image.bitmap.hasAlpha)
    }
    let webp = try WebPEncoder(compression: .lossless).encode(picture)
    let image = try DecoderRegistry.standard.decode(webp)
    #expect(ColorGrid.difference(ColorGrid.of(image.bitmap), ColorGrid.of(picture)) == 0)
  }

  @Test func `a JPEG shows its background through holes`() throws {
    let clear = Bitmap(size: PixelSize(width: 16, height: 16), color: .clear)
    let encoder = JPEGEncoder(background: Pixel(red: 0, green: 200, blue: 0))
    let pixel = try DecoderRegistry.standard.decode(try encoder.encode(clear)).bitmap[8, 8]
    #expect(abs(Int(pixel.green) - 200) < 4 && pixel.red < 4)
  }

  @Test func `a GIF keeps frames, delays and loops`() throws {
    for loopCount in [0, 1, 2, 7] {
      let animated = CodecFixtures.animation(
        count: 5, size: PixelSize(width: 32, height: 20), loopCount: loopCount)
      let image = try DecoderRegistry.standard.decode(try GIFEncoder().encode(animated))
      let animation = try #require(image.animation)
      #expect(animation.delays == animated.animation?.delays)
      #expect(animation.loopCount == loopCount)
      for index in 0..<5 {
        let original = try #require(try animated.animation?.frame(at: index))
        #expect(CodecFixtures.meanDifference(try animation.frame(at: index), original) < 6)
      }
    }
  }

  @Test func `an animated PNG keeps every frame exactly, with delays and loops`() throws {
    let animated = CodecFixtures.animation(
      count: 5, size: PixelSize(width: 32, height: 20), loopCount: 4, format: .png)
    let bytes = try PNGEncoder().encode(animated)
    let image = try DecoderRegistry.standard.decode(bytes)
    let animation = try #require(image.animation)
    #expect(image.format == .png && animation.delays == animated.animation?.delays)
    #expect(animation.loopCount == 4)
    for index in 0..<5 {
      #expect(
        try CodecFixtures.meanDifference(
          animation.frame(at: index), #require(animated.animation).frame(at: index)) == 0)
    }
    let long = Animation(
      delays: [.seconds(100), .seconds(2)], loopCount: 0, residentByteCount: 0
    ) { index throws(DecodeError) in try animation.frame(at: index) }
    let slow = try PNGEncoder().encode(
      DecodedImage(bitmap: image.bitmap, animation: long, format: .png))
    #expect(try DecoderRegistry.standard.decode(slow).animation?.delays == long.delays)
    #expect(try DecoderRegistry.standard.probe(slow)?.frameCount == 2)
  }

  @Test func `a JPEG is written as told: process, subsampling, quality`() throws {
    let picture = CodecFixtures.picture(width: 200, height: 150)
    func frame(_ encoder: JPEGEncoder) throws -> (process: UInt8, sampling: UInt8, count: Int) {
      let encoded = try encoder.encode(picture)
      let bytes = encoded.prefix(encoded.count)
      let start = try #require(
        bytes.indices.dropLast().first {
          bytes[$0] == 0xFF && (0xC0...0xC2).contains(bytes[$0 + 1])
        })
      return (bytes[start + 1], bytes[start + 11], bytes.count)
    }
    let plain = try frame(JPEGEncoder(quality: 80))
    #expect(plain.process == 0xC0 && plain.sampling == 0x22)
    #expect(try frame(JPEGEncoder(quality: 80, isProgressive: true)).process == 0xC2)
    #expect(try frame(JPEGEncoder(quality: 80, subsampling: .horizontal)).sampling == 0x21)
    let full = try frame(JPEGEncoder(quality: 80, subsampling: .none))
    #expect(full.sampling == 0x11 && full.count > plain.count)
    #expect(try frame(JPEGEncoder(quality: 30)).count < plain.count)
  }

  @Test func `a PNG is written as told: palette where it fits, level`() throws {
    let few = Bitmap(size: PixelSize(width: 64, height: 64), hasAlpha: false) { bytes in
      for index in bytes.indices { bytes[index] = index % 4 == 3 ? 255 : UInt8(index / 64 % 7) }
    }
    func colorType(_ bytes: ImageBytes) -> UInt8 { bytes.prefix(26)[25] }
    #expect(colorType(try PNGEncoder().encode(few)) == 3)
    #expect(colorType(try PNGEncoder(usesPalette: false).encode(few)) == 2)
    let many = CodecFixtures.picture(width: 64, height: 64)
    #expect(colorType(try PNGEncoder().encode(many)) == 2)
    let holed = CodecFixtures.picture(width: 64, height: 64, hasAlpha: true)
    #expect(colorType(try PNGEncoder().encode(holed)) == 6)
    let stored = try PNGEncoder(level: 0).encode(many)
    let packed = try PNGEncoder(level: 9).encode(many)
    #expect(packed.count < stored.count)
    #expect(try DecoderRegistry.standard.decode(stored).bitmap == many)
    #expect(try DecoderRegistry.standard.decode(packed).bitmap == many)
  }

  @Test func `metadata is written when given, and nothing else`() throws {
    let picture = CodecFixtures.picture(width: 24, height: 16)
    let metadata = ImageMetadata(
      exif: ImageBytes(Self.exif(orientation: 3)), profile: ImageBytes(RGBSpace.adobe.profile))
    for (with, without) in [
      (try JPEGEncoder(metadata: metadata).encode(picture), try JPEGEncoder().encode(picture)),
      (try PNGEncoder(metadata: metadata).encode(picture), try PNGEncoder().encode(picture)),
      (try WebPEncoder(metadata: metadata).encode(picture), try WebPEncoder().encode(picture)),
    ] {
      let image = try DecoderRegistry.standard.decode(with)
      #expect(image.orientation == .down && image.notes.isEmpty)
      #expect(try DecoderRegistry.standard.probe(with)?.profileName != nil)
      let plain = try DecoderRegistry.standard.decode(without)
      #expect(plain.orientation == .up)
      #expect(try DecoderRegistry.standard.probe(without)?.profileName == nil)
      #expect(without.count < with.count - RGBSpace.adobe.profile.count / 3)
    }
  }

  @Test func `a lossless animated WebP keeps every frame exactly`() throws {
    let animated = CodecFixtures.animation(
      count: 4, size: PixelSize(width: 32, height: 20), loopCount: 3, format: .webp)
    let bytes = try WebPEncoder(compression: .lossless).encode(animated)
    let animation = try #require(try DecoderRegistry.standard.decode(bytes).animation)
    #expect(animation.delays == animated.animation?.delays)
    #expect(animation.loopCount == 3)
    for index in 0..<4 {
      #expect(try animation.frame(at: index) == animated.animation?.frame(at: index))
    }
  }

  @Test func `holes of a GIF frame do not show the frame before`() throws {
    let full = Bitmap(
      size: PixelSize(width: 8, height: 8), color: Pixel(red: 255, green: 0, blue: 0))
    let clear = Bitmap(size: full.size, color: .clear)
    let animation = Animation(
      delays: [.milliseconds(50), .milliseconds(50), .milliseconds(50)], loopCount: 0,
      residentByteCount: 0
    ) { index in index == 1 ? clear : full }
    let bytes = try GIFEncoder().encode(
      DecodedImage(bitmap: full, animation: animation, format: .gif))
    let image = try DecoderRegistry.standard.decode(bytes)
    // The first frame stays under the second's holes only if it was not told to go.
    #expect(try image.animation?.frame(at: 2)[4, 4] == Pixel(red: 255, green: 0, blue: 0))
  }

  @Test func `a size limit is kept at the best quality that does`() throws {
    let image = DecodedImage(
      bitmap: CodecFixtures.picture(width: 200, height: 150), format: .jpeg)
    let full = try JPEGEncoder(quality: 95).encode(image)
    let limit = full.count / 2
    let fitted = try JPEGEncoder(quality: 95).encode(image, fitting: limit)
    #expect(fitted.count <= limit)
    #expect(fitted.count > limit / 2)
    let webp = try WebPEncoder(compression: .lossy(quality: 95)).encode(image, fitting: 3_000)
    #expect(webp.count <= 3_000)
    #expect(throws: EncodeError.self) { try JPEGEncoder().encode(image, fitting: 10) }
  }

  @Test func `sides beyond the format's are refused`() {
    let long = Bitmap(size: PixelSize(width: 70_000, height: 1), color: .clear)
    let size = long.size
    #expect(throws: EncodeError.tooLarge(size, .jpeg)) { try JPEGEncoder().encode(long) }
    #expect(throws: EncodeError.tooLarge(size, .webp)) { try WebPEncoder().encode(long) }
    #expect(throws: EncodeError.tooLarge(size, .gif)) { try GIFEncoder().encode(long) }
  }

  @Test func `an orientation written as metadata is applied when read`() throws {
    let picture = CodecFixtures.picture(width: 24, height: 10)
    let metadata = ImageMetadata(exif: ImageBytes(Self.exif(orientation: 6)))
    let encoded = [
      try PNGEncoder(metadata: metadata).encode(picture),
      try JPEGEncoder(metadata: metadata).encode(picture),
      try WebPEncoder(metadata: metadata).encode(picture),
    ]
    for bytes in encoded {
      let image = try DecoderRegistry.standard.decode(bytes)
      #expect(image.orientation == .right)
      #expect(image.size == PixelSize(width: 10, height: 24))
      var options = DecodingOptions()
      options.appliesOrientation = false
      let kept = try DecoderRegistry.standard.decode(bytes, options: options)
      #expect(kept.orientation == .right)
      #expect(kept.size == picture.size)
    }
  }

  @Test func `an encoder is chosen by what the image needs`() {
    let picture = CodecFixtures.picture(width: 4, height: 4)
    let holed = CodecFixtures.picture(width: 4, height: 4, hasAlpha: true)
    let animated = CodecFixtures.animation(count: 2, size: picture.size)
    #expect(DecodedImage(bitmap: picture, format: .png).suitableEncoder.format == .jpeg)
    #expect(DecodedImage(bitmap: holed, format: .png).suitableEncoder.format == .png)
    #expect(animated.suitableEncoder.format == .gif)
  }

  /// A TIFF structure that says nothing but an orientation.
  static func exif(orientation: UInt8) -> [UInt8] {
    [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
      + [0, 0, 0, 0]
  }
}
