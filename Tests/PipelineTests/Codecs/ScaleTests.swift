import Pipeline
import TestSupport
import Testing

/// What a key says of pixels per point.
struct ScaleTests {
  private static func loaded(
    key: String, bytes: ImageBytes, scale: Double? = nil
  ) async throws -> DecodedImage {
    var request = ImageRequest(.bytes(bytes, key: key))
    request.scale = scale
    return try await ImagePipeline().image(for: request).image
  }

  @Test(arguments: [
    ("B144", "photo@2x.png", 2.0), ("B145", "photo@3x.png", 3), ("B146", "photo.png", 1),
    ("B146", "photo@4x.png", 1), ("B147", "a@2x.pn", 1), ("B147", "ab@2x.pn", 2),
    // Both: the first counts, as in later versions of the original.
    ("B148", "a@3x.b@2x.png", 2), ("B144", "http://h/photo%402x.png", 2),
    ("B145", "http://h/photo%403x.png", 3),
  ])
  func `a key's suffix sets the scale`(_ id: String, _ key: String, _ scale: Double) async throws {
    let image = try await Self.loaded(key: key, bytes: ImageBytes(PipelineFixture.png))
    #expect(image.scale == scale, "\(id): \(key)")
    #expect(image.size == PixelSize(width: 8, height: 6))
  }

  @Test func `B127, B150: the scale says nothing of the pixels, and a request may set its own`()
    async throws
  {
    let bytes = ImageBytes(PipelineFixture.png)
    let image = try await Self.loaded(key: "photo@2x.png", bytes: bytes, scale: 1.5)
    #expect(image.scale == 1.5)
    let other = try await Self.loaded(key: "photo@2x.png", bytes: bytes)
    #expect(other.scale == 2 && other.bitmap == image.bitmap)
  }

  @Test func `B149: an animation is scaled as a whole and keeps its times`() async throws {
    let animated = CodecFixtures.animation(count: 4, size: PixelSize(width: 12, height: 10))
    let bytes = try GIFEncoder().encode(animated)
    let image = try await Self.loaded(key: "moving@3x.gif", bytes: bytes)
    #expect(image.scale == 3)
    #expect(image.animation?.delays == animated.animation?.delays)
    #expect(try image.animation?.frame(at: 3).size == PixelSize(width: 12, height: 10))
  }

  @Test func `B126, B132, B151: scaling keeps orientation and size`() async throws {
    let exif = ImageBytes(EncoderTests.exif(orientation: 6))
    let bytes = try JPEGEncoder(metadata: ImageMetadata(exif: exif)).encode(
      CodecFixtures.picture(width: 24, height: 10))
    let image = try await Self.loaded(key: "turned@2x.jpg", bytes: bytes)
    #expect(image.orientation == .right && image.scale == 2)
    #expect(image.size == PixelSize(width: 10, height: 24))
  }

  @Test func `B103: a preview has the scale of the image`() async throws {
    let encoded = try JPEGEncoder(isProgressive: true).encode(
      CodecFixtures.picture(width: 120, height: 90))
    let bytes = encoded.prefix(encoded.count)
    let (server, gate) = (try FaultServer(), Gate())
    server.route("/photo@2x.jpg") { exchange in
      exchange.sendHead(200, ["Content-Length": "\(bytes.count)"])
      exchange.write(Array(bytes.prefix(bytes.count * 2 / 3)))
      guard exchange.hold(until: gate) else { return }
      exchange.write(Array(bytes.dropFirst(bytes.count * 2 / 3)))
    }
    var request = ImageRequest(server.url("/photo@2x.jpg"))
    request.decoding.previews = true
    var scales: [Double] = []
    for try await event in ImagePipeline().events(for: request) {
      if case .preview(let image) = event {
        scales.append(image.scale)
        gate.open()
      }
      if case .image(let loaded) = event { scales.append(loaded.image.scale) }
    }
    #expect(scales.count >= 2 && scales.allSatisfy { $0 == 2 })
  }

  @Test func `B119: bytes without decoding`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a", [1, 2, 3])
    // What no decoder would take comes all the same.
    let request = ImageRequest(fixture.server.url("/a"))
    #expect(try await fixture.pipeline.data(for: request).bytes.prefix(9) == [1, 2, 3])
  }
}
