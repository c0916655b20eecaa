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
