import Pipeline
import Testing

/// Animations that no file would hold, given to the encoders.
struct OddAnimationTests {
  private static let encoders: [any ImageEncoder] = [GIFEncoder(), PNGEncoder(), WebPEncoder()]

  private static func image(
    delays: [Duration], loopCount: Int = 0, sizes: [PixelSize]? = nil
  ) -> DecodedImage {
    let frames = delays.indices.map { index in
      let size = sizes?[index] ?? PixelSize(width: 6, height: 4)
      return CodecFixtures.picture(width: size.width, height: size.height, shift: index * 40)
    }
    let animation = Animation(delays: delays, loopCount: loopCount, residentByteCount: 0) {
      frames[$0]
    }
    let first = frames.first ?? CodecFixtures.picture(width: 6, height: 4)
    return DecodedImage(bitmap: first, animation: animation, format: .gif)
  }

  private static func readBack(_ image: DecodedImage, _ encoder: any ImageEncoder) throws
    -> Animation
  {
    let bytes = try encoder.encode(image)
    return try #require(try DecoderRegistry.standard.decode(bytes).animation)
  }

  @Test(arguments: encoders)
  func `delays longer than the format has room for become its longest`(
    _ encoder: any ImageEncoder
  ) throws {
    let longest: [ImageFormat: Duration] = [
      .gif: .milliseconds(655_350), .png: .milliseconds(655_350),
      .webp: .milliseconds(0xFF_FFFF),
    ]
    let delays: [Duration] = [.seconds(Int64.max), .milliseconds(40)]
    let read = try Self.readBack(Self.image(delays: delays), encoder)
    #expect(read.delays == [longest[encoder.format], .milliseconds(40)])
  }

  @Test(arguments: encoders)
  func `negative delays are none, and negative loop counts are for ever`(
    _ encoder: any ImageEncoder
  ) throws {
    let delays: [Duration] = [.seconds(-3), .seconds(Int64.min), .milliseconds(40)]
    let image = Self.image(delays: delays, loopCount: -1)
    #expect(image.animation?.delays.first == .zero && image.animation?.loopCount == 0)
    let read = try Self.readBack(image, encoder)
    #expect(read.loopCount == 0)
    #expect(read.delays.last == .milliseconds(40))
    #expect(read.delays.dropLast().allSatisfy { $0 == .zero })
  }

  @Test func `a WebP that lasts longer than it can say is refused, a PNG is not`() throws {
    let image = Self.image(delays: Array(repeating: .seconds(16_000), count: 150))
    let limit = Duration.milliseconds(2_147_483_647)
    #expect(throws: EncodeError.tooLong(.webp, limit: limit)) {
      try WebPEncoder().encode(image)
    }
    #expect(try Self.readBack(image, PNGEncoder()).frameCount == 150)
  }

  @Test(arguments: encoders)
  func `an animation without frames is refused`(_ encoder: any ImageEncoder) {
    #expect(throws: EncodeError.noFrames(encoder.format)) {
      try encoder.encode(Self.image(delays: []))
    }
  }

  @Test(arguments: encoders)
  func `a frame of another size than the first is refused`(_ encoder: any ImageEncoder) {
    let (canvas, other) = (PixelSize(width: 6, height: 4), PixelSize(width: 3, height: 9))
    let image = Self.image(
      delays: [.milliseconds(40), .milliseconds(40)], sizes: [canvas, other])
    #expect(throws: EncodeError.unevenFrame(index: 1, other, canvas: canvas)) {
      try encoder.encode(image)
    }
  }
}
