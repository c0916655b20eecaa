import Flow
import Foundation
import Pipeline
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct AlternativeTests {
  private func requests(_ fixture: PipelineFixture, _ paths: [String]) -> [ImageRequest] {
    paths.map { ImageRequest(fixture.server.url($0)) }
  }

  private func events(_ load: AnyPublisher<LoadEvent, LoadError>) async throws -> [String] {
    var names: [String] = []
    for try await event in load.values {
      switch event {
      case .preview(let image): names.append("preview \(image.size)")
      case .image(let loaded): names.append("image \(loaded.image.size)")
      case .request, .progress, .encoded: break
      }
    }
    return names
  }

  @Test func `sources are tried in order until one gives an image`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/html", Array("<html></html>".utf8))
    fixture.server.serve("/good.png", PipelineFixture.png)
    fixture.server.serve("/unused.png", PipelineFixture.png)
    let load = fixture.pipeline.load(
      firstOf: requests(fixture, ["/404", "/html", "/good.png", "/unused.png"]))
    #expect(try await events(load) == ["image 8×6"])
    #expect(fixture.server.counts.hits("/404") == 1 && fixture.server.counts.hits("/html") == 1)
    #expect(fixture.server.counts.hits("/unused.png") == 0)
  }

  @Test func `when all sources fail the last one's error is told, and none is an error too`()
    async throws
  {
    let fixture = try PipelineFixture()
    let all = requests(fixture, ["/1", "/2"])
    let last = LoadError.download(
      .refused(status: 404, retryAfter: nil), source: all[1].source.name)
    await #expect(throws: last) { try await events(fixture.pipeline.load(firstOf: all)) }
    await #expect(throws: LoadError.self) { try await events(fixture.pipeline.load(firstOf: [])) }
  }

  @Test func `of sources that fail no more than one is subscribed at a time, or held`() async throws
  {
    let pipeline = ImagePipeline()
    let bad = (0..<50).map { ImageRequest(.bytes(ImageBytes(), key: "\($0)")) }
    let most = Mutex(0)
    let watch = pipeline.activity.sink { _ in
      most.withLock { $0 = max($0, pipeline.counters.running) }
    }
    await #expect(throws: LoadError.self) { try await events(pipeline.load(firstOf: bad)) }
    #expect(most.withLock { $0 } == 1 && pipeline.counters.failed == ["download": 50])
    watch.cancel()
  }

  @Test func `a list of two thousand sources that all fail needs no deep stack`() async throws {
    let pipeline = ImagePipeline()
    let bad = (0..<2_000).map { ImageRequest(.bytes(ImageBytes(), key: "\($0)")) }
    await #expect(throws: LoadError.download(.emptyBody, source: "1999")) {
      try await events(pipeline.load(firstOf: bad))
    }
  }

  @Test func `a small version is shown until the real one comes`() async throws {
    let fixture = try PipelineFixture()
    let gate = Gate()
    fixture.server.serve("/small.png", PipelineFixture.pngBytes(width: 4, height: 3))
    fixture.serveGated("/large.png", gate)
    let all = requests(fixture, ["/large.png", "/small.png"])
    let load = fixture.pipeline.load(all[0], showingFirst: all[1])
      .handleEvents(receiveOutput: { if case .preview = $0 { gate.open() } })
    #expect(try await events(load.eraseToAnyPublisher()) == ["preview 4×3", "image 8×6"])
  }

  @Test func `a small version that fails or is late changes nothing`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/large.png", PipelineFixture.png)
    fixture.serveGated("/late.png", Gate())
    for small in ["/404", "/late.png"] {
      let all = requests(fixture, ["/large.png", small])
      let load = fixture.pipeline.load(all[0], showingFirst: all[1])
      #expect(try await events(load) == ["image 8×6"])
    }
  }
}
