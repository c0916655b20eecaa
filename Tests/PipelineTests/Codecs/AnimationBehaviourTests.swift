import Pipeline
import Testing

/// What loaders before this one promised (B…) or got wrong (R…), for animations.
struct AnimationBehaviourTests {
  @Test func `the loop extension says how often a GIF plays again (R102)`() throws {
    let frames = [HandmadeFiles.Frame(), HandmadeFiles.Frame(color: 1)]
    func loopCount(_ extensions: [UInt8]) throws -> Int? {
      let bytes = HandmadeFiles.gif(frames, extensions: extensions)
      return try DecoderRegistry.standard.decode(bytes).animation?.loopCount
    }
    #expect(try loopCount([]) == 1)
    #expect(try loopCount(HandmadeFiles.repeats(0)) == 0)
    #expect(try loopCount(HandmadeFiles.repeats(3)) == 4)
  }

  @Test func `delays are as stored (R100)`() throws {
    let hundredths: [UInt16] = [0, 1, 2, 5, 10]
    let bytes = HandmadeFiles.gif(hundredths.map { HandmadeFiles.Frame(hundredths: $0) })
    let animation = try #require(try DecoderRegistry.standard.decode(bytes).animation)
    #expect(animation.delays == hundredths.map { .milliseconds(Int($0) * 10) })
  }

  @Test func `restoring to background clears the frame's own rectangle only (R104)`() throws {
    let bytes = HandmadeFiles.gif([
      HandmadeFiles.Frame(), HandmadeFiles.Frame(x: 1, y: 1, side: 2, color: 1, disposal: 2),
      HandmadeFiles.Frame(side: 1, color: 1),
    ])
    let animation = try #require(try DecoderRegistry.standard.decode(bytes).animation)
    let (second, third) = (try animation.frame(at: 1), try animation.frame(at: 2))
    let (red, blue) = (Pixel(red: 255, green: 0, blue: 0), Pixel(red: 0, green: 0, blue: 255))
    #expect(second[1, 1] == blue && second[0, 0] == red && second[3, 3] == red)
    #expect(third[1, 1] == .clear && third[2, 2] == .clear)
    #expect(third[0, 0] == blue && third[3, 3] == red && third[1, 0] == red)
  }

  @Test func `three hundred frames are three hundred, in bounded memory (R109)`() throws {
    let frames = (0..<300).map { HandmadeFiles.Frame(color: UInt8($0 % 2)) }
    let image = try DecoderRegistry.standard.decode(HandmadeFiles.gif(frames))
    let animation = try #require(image.animation)
    #expect(animation.frameCount == 300)
    #expect(try animation.frame(at: 299)[0, 0] == Pixel(red: 0, green: 0, blue: 255))
    let plain = [0, 255].map { level in
      Bitmap(
        size: PixelSize(width: 700, height: 500), color: Pixel(red: level, green: 0, blue: 0))
    }
    let long = Animation(
      delays: Array(repeating: .milliseconds(20), count: 60), loopCount: 0, residentByteCount: 0
    ) { plain[$0 % 2] }
    let big = try WebPEncoder(compression: .lossless, effort: 0).encode(
      DecodedImage(bitmap: plain[0], animation: long, format: .webp))
    let bounded = try #require(try DecoderRegistry.standard.decode(big).animation)
    #expect(bounded.frameCount == 60)
    #expect(bounded.residentByteCount <= 32 << 20)
  }

  @Test func `frames can be asked for in any order, from any thread`() async throws {
    let animated = CodecFixtures.animation(count: 12, size: PixelSize(width: 300, height: 260))
    for bytes in [
      try GIFEncoder().encode(animated),
      try WebPEncoder(compression: .lossless, effort: 0).encode(animated),
    ] {
      let animation = try #require(try DecoderRegistry.standard.decode(bytes).animation)
      var inOrder: [Bitmap] = []
      for index in 0..<12 { inOrder.append(try animation.frame(at: index)) }
      let wanted = inOrder
      let fresh = try #require(try DecoderRegistry.standard.decode(bytes).animation)
      let areEqual = try await withThrowingTaskGroup(of: Bool.self) { group in
        for index in [7, 2, 11, 0, 5, 5, 1, 9, 3, 10, 4, 8, 6] {
          group.addTask { try fresh.frame(at: index) == wanted[index] }
        }
        return try await group.reduce(into: true) { $0 = $0 && $1 }
      }
      #expect(areEqual)
    }
  }

  @Test func `first frame only gives a still picture (B124, B236)`() throws {
    var options = DecodingOptions()
    options.frames = .firstOnly
    let bytes = HandmadeFiles.gif([HandmadeFiles.Frame(), HandmadeFiles.Frame(color: 1)])
    let image = try DecoderRegistry.standard.decode(bytes, options: options)
    #expect(image.animation == nil)
    #expect(image.bitmap[0, 0] == Pixel(red: 255, green: 0, blue: 0))
  }

  @Test func `who asks for an animation gets one, or an error (B238)`() throws {
    var options = DecodingOptions()
    options.frames = .animationOnly
    let frame = HandmadeFiles.Frame()
    let still = HandmadeFiles.gif([frame])
    #expect(throws: DecodeError.notAnimated(.gif)) {
      try DecoderRegistry.standard.decode(still, options: options)
    }
    let animated = HandmadeFiles.gif([frame, HandmadeFiles.Frame(color: 1)])
    let image = try DecoderRegistry.standard.decode(animated, options: options)
    #expect(image.animation?.frameCount == 2)
  }

  @Test func `a session too refuses a still picture where an animation is asked for`() throws {
    var options = DecodingOptions()
    options.frames = .animationOnly
    let picture = CodecFixtures.picture(width: 6, height: 5)
    for encoder in [JPEGEncoder() as any ImageEncoder, PNGEncoder(), GIFEncoder(), WebPEncoder()] {
      let bytes = try encoder.encode(picture)
      let decoder = try DecoderRegistry.standard.decoder(for: bytes.prefix(16))
      let session = decoder.makeSession(options: options)
      try session.append(bytes)
      #expect(throws: DecodeError.notAnimated(encoder.format)) { try session.finish() }
    }
  }

  @Test func `preloading keeps all frames (B237)`() throws {
    var options = DecodingOptions()
    options.frames = .preloaded
    let bytes = HandmadeFiles.gif((0..<9).map { HandmadeFiles.Frame(color: UInt8($0 % 2)) })
    let image = try DecoderRegistry.standard.decode(bytes, options: options)
    let animation = try #require(image.animation)
    #expect(animation.residentByteCount == 9 * image.bitmap.byteCount)
    #expect(try animation.frame(at: 5)[2, 2].blue == 255)
  }

  @Test func `more frames than the limits allow are an error`() {
    var options = DecodingOptions()
    options.limits.frames = 5
    let bytes = HandmadeFiles.gif((0..<6).map { _ in HandmadeFiles.Frame() })
    #expect(throws: DecodeError.tooManyFrames(6, limit: 5)) {
      try DecoderRegistry.standard.decode(bytes, options: options)
    }
    options.limits.frames = 10
    options.limits.framePixels = 50
    #expect(throws: DecodeError.self) {
      try DecoderRegistry.standard.decode(bytes, options: options)
    }
  }
}
