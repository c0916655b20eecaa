import Foundation
import Pipeline
import TestSupport
import Testing

struct PlaceholderLoadTests {
  private func events(of request: ImageRequest, _ pipeline: ImagePipeline) async throws -> [String]
  {
    var names: [String] = []
    for try await event in pipeline.load(request).values {
      switch event {
      case .preview(let image): names.append("\(image.format) \(image.size) \(image.isComplete)")
      case .image(let loaded): names.append("\(loaded.image.format) \(loaded.image.size)")
      case .request, .progress, .encoded: break
      }
    }
    return names
  }

  @Test func `a request's placeholder comes first, and not when the image is in memory`()
    async throws
  {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    var request = ImageRequest(fixture.server.url("/a.png"))
    let hash = try #require(BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj"))
    request.placeholder = .blurHash(hash, size: PixelSize(width: 800, height: 600))
    #expect(
      try await events(of: request, fixture.pipeline) == ["placeholder 64×48 false", "PNG 8×6"])
    // It is no part of the key.
    request.placeholder = .color(
      Pixel(red: 1, green: 2, blue: 3), size: PixelSize(width: 4, height: 3))
    #expect(try await events(of: request, fixture.pipeline) == ["PNG 8×6"])
  }

  @Test func `each of those who share a load has a placeholder of its own`() async throws {
    let fixture = try PipelineFixture()
    let gate = Gate()
    fixture.serveGated("/a.png", gate)
    var request = ImageRequest(fixture.server.url("/a.png"))
    request.placeholder = .color(
      Pixel(red: 9, green: 9, blue: 9), size: PixelSize(width: 3, height: 2))
    async let plain = fixture.pipeline.image(for: ImageRequest(fixture.server.url("/a.png")))
    for try await event in fixture.pipeline.load(request).values {
      guard case .preview(let image) = event else { continue }
      #expect(image.bitmap == Bitmap(size: image.size, color: Pixel(red: 9, green: 9, blue: 9)))
      gate.open()
    }
    #expect(try await plain.bitmap.size == PixelSize(width: 8, height: 6))
    #expect(fixture.server.counts.hits("/a.png") == 1)
  }

  @Test func `a failing load shows its placeholder and then fails`() async throws {
    let fixture = try PipelineFixture()
    var request = ImageRequest(fixture.server.url("/none.png"))
    request.placeholder = .thumbHash(
      ThumbHash(Bitmap(size: PixelSize(width: 30, height: 20), color: .clear)))
    var previews = 0
    await #expect(throws: LoadError.self) {
      for try await event in fixture.pipeline.load(request).values {
        if case .preview = event { previews += 1 }
      }
    }
    #expect(previews == 1)
  }

  @Test(arguments: [(0, 0), (-5, 3), (1, 100_000), (Int.max, 1), (640, 480)])
  func `a placeholder of any size is small and has pixels`(width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    let hash = BlurHash(Bitmap(size: PixelSize(width: 2, height: 2), color: .clear))
    for placeholder in [Placeholder.blurHash(hash, size: size), .color(.clear, size: size)] {
      let bitmap = placeholder.bitmap
      #expect((1...64).contains(bitmap.width) && (1...64).contains(bitmap.height))
    }
  }
}
