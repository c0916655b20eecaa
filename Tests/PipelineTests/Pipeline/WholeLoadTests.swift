import Flow
import Foundation
import Pipeline
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct WholeLoadTests {
  @Test func `B152: the shared pipeline is one, others share nothing with it`() async throws {
    #expect(ImagePipeline.shared === ImagePipeline.shared)
    let fixture = try PipelineFixture()
    let gate = Gate()
    fixture.serveGated("/a.png", gate)
    let other = ImagePipeline()
    let counter = LoadCounter()
    let url = fixture.server.url("/a.png")
    let tasks = [fixture.pipeline, other].map { counter.subscribe(to: $0.load(url)) }
    try await fixture.server.wait { $0.hits("/a.png") == 2 }
    gate.open()
    await counter.wait { $0.finished == 2 }
    #expect(other.counters.begun == 1 && fixture.pipeline.counters.begun == 1)
    #expect(other.configuration.cache == nil)
    withExtendedLifetime(tasks) {}
  }

  @Test func `B163: running loads are counted from before the look-up until the end`()
    async throws
  {
    let fixture = try PipelineFixture()
    let gate = Gate()
    fixture.serveGated("/a.png", gate)
    let counter = LoadCounter()
    #expect(fixture.pipeline.counters.running == 0)
    let task = counter.subscribe(to: fixture.pipeline.load(fixture.server.url("/a.png")))
    #expect(fixture.pipeline.counters.running == 1)
    gate.open()
    await counter.wait { $0.finished == 1 }
    await fixture.idle()
    #expect(fixture.pipeline.counters.running == 0)
    withExtendedLifetime(task) {}
  }

  @Test func `B178: refreshing what may not be downloaded gives the stored image once`()
    async throws
  {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png, headers: ["ETag": "\"1\""])
    var request = ImageRequest(fixture.server.url("/a.png"))
    request.caching = .http
    request.caching.waitsForStore = true
    _ = try await fixture.pipeline.image(for: request)
    let offline = fixture.pipeline.replacing { $0.hooks.mayDownload = { _ in false } }
    request.caching.validity = .refreshing
    var origins: [ImageOrigin] = []
    for try await event in offline.events(for: request) {
      if case .image(let loaded) = event { origins.append(loaded.origin) }
    }
    #expect(origins == [.memory])
    #expect(fixture.server.counts.hits("/a.png") == 1)
  }

  @Test func `B103: a preview is scaled as the image is`() async throws {
    let bytes = PipelineFixture.pngBytes(width: 200, height: 200)
    let (first, second) = (Array(bytes.prefix(bytes.count - 20)), Array(bytes.suffix(20)))
    let seen = Gate()
    let pieces = AsyncStream<[UInt8]> { continuation in
      continuation.yield(first)
      Task {
        while !seen.isOpen { await Task.yield() }
        continuation.yield(second)
        continuation.finish()
      }
    }
    let provider = ImageProvider(key: "picture@2x.png") { pieces }
    let request = ImageRequest(.provider(provider)).applying(.progressive)
    var scales: [Double] = []
    for try await event in ImagePipeline().events(for: request) {
      switch event {
      case .preview(let image):
        scales.append(image.scale)
        seen.open()
      case .image(let loaded): scales.append(loaded.image.scale)
      default: break
      }
    }
    #expect(scales.count >= 2 && scales.allSatisfy { $0 == 2 })
  }

  @Test func `a part of a pipeline is replaced for one load, and for no other`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let url = fixture.server.url("/a.png")
    let blind = fixture.pipeline.replacing { $0.decoders = DecoderRegistry(decoders: []) }
    let error = await #expect(throws: LoadError.self) { try await blind.image(for: url) }
    guard case .decode(.unknownFormat, _) = error else {
      Issue.record("got \(String(describing: error))")
      return
    }
    await #expect(throws: LoadError.self) { try await fixture.pipeline.image(for: url) }
    var request = ImageRequest(url)
    request.caching.retriesFailed = true
    #expect(try await fixture.pipeline.image(for: request).bitmap.width == 8)
  }
}
