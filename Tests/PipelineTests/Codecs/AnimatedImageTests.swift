import Pipeline
import TestSupport
import Testing

/// Requests that only an animation answers.
struct AnimatedImageTests {
  private static let still = ImageBytes(PipelineFixture.png)

  private static func moving(_ encoder: any ImageEncoder = GIFEncoder()) throws -> ImageBytes {
    try encoder.encode(
      CodecFixtures.animation(count: 3, size: PixelSize(width: 12, height: 10)))
  }

  private static func request(_ bytes: ImageBytes, key: String) -> ImageRequest {
    ImageRequest(.bytes(bytes, key: key))
  }

  @Test func `B238: a typed request gives an animation`() async throws {
    let encoders: [any ImageEncoder] = [GIFEncoder(), PNGEncoder(), WebPEncoder()]
    for encoder in encoders {
      let request = Self.request(try Self.moving(encoder), key: "\(encoder.format)")
      let moving = try await ImagePipeline().animation(for: request)
      #expect(moving.frameCount == 3 && moving.size == PixelSize(width: 12, height: 10))
      #expect(moving.firstFrame == moving.loaded.bitmap)
      #expect(try moving.animation.frame(at: 0) == moving.firstFrame)
    }
  }

  @Test(arguments: FrameLoading.allCases)
  func `B238: a typed request gives an error for a still picture, however frames are loaded`(
    _ frames: FrameLoading
  ) async throws {
    var request = Self.request(Self.still, key: "still")
    request.decoding.frames = frames
    let error = await #expect(throws: LoadError.self) {
      try await ImagePipeline().animation(for: request)
    }
    guard case .decode(.notAnimated(.png), let source) = error else {
      Issue.record("got \(String(describing: error))")
      return
    }
    #expect(source == "still")
    #expect(error?.mayHeal == false)
  }

  @Test(arguments: FrameLoading.allCases)
  func `who asks for an animation gets all frames, however they are loaded`(
    _ frames: FrameLoading
  ) async throws {
    var request = Self.request(try Self.moving(), key: "moving")
    request.decoding.frames = frames
    #expect(try await ImagePipeline().animation(for: request).frameCount == 3)
  }

  /// What is refused for one is kept for others: the picture itself is good.
  @Test func `a still picture that is no animation is an image all the same`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let url = fixture.server.url("/a.png")
    await #expect(throws: LoadError.self) { try await fixture.pipeline.animation(for: url) }
    #expect(try await fixture.pipeline.image(for: url).bitmap.width == 8)
  }
}
