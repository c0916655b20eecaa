import Foundation
import TestSupport
import Testing

@testable import Pipeline

/// Failed sources, through a pipeline.
@Suite(.timeLimit(.minutes(1))) struct FailureMemoryTests {
  private func error(
    of request: ImageRequest, _ fixture: PipelineFixture
  ) async -> LoadError? {
    do {
      _ = try await fixture.pipeline.image(for: request)
      return nil
    } catch {
      return error as? LoadError
    }
  }

  @Test func `what is gone is asked once, until it is forgotten or to be retried`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", [], status: 410)
    var request = ImageRequest(fixture.server.url("/a.png"))
    let first = await error(of: request, fixture)
    #expect(first != nil)
    #expect(await error(of: request, fixture) == first)
    #expect(fixture.server.counts.hits("/a.png") == 1)
    let remembered = fixture.pipeline.configuration.failures?.all.map { Optional($0.error) }
    #expect(remembered == [first])
    try await fixture.pipeline.forget(request)
    _ = await error(of: request, fixture)
    #expect(fixture.server.counts.hits("/a.png") == 2)
    request.caching.retriesFailed = true
    // B189: who asks in any case is refused anew, and that is remembered for those who do not.
    #expect(await error(of: request, fixture) == first)
    #expect(fixture.server.counts.hits("/a.png") == 3)
    var waiting = request
    waiting.caching.retriesFailed = false
    #expect(await error(of: waiting, fixture) == first)
    #expect(fixture.server.counts.hits("/a.png") == 3)
    fixture.server.serve("/a.png", PipelineFixture.png)
    #expect(await error(of: request, fixture) == nil)
    // What succeeded is not held against it any more.
    #expect(fixture.pipeline.configuration.failures?.all.isEmpty == true)
  }

  @Test func `bytes that are no picture are not fetched again`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", Array("<html></html>".utf8))
    let request = ImageRequest(fixture.server.url("/a.png"))
    let first = await error(of: request, fixture)
    #expect(await error(of: request, fixture) == first)
    #expect(fixture.server.counts.hits("/a.png") == 1)
  }

  @Test func `R024: what can heal is asked again at once: a reset, a timeout, a cancelled load`()
    async throws
  {
    let fixture = try PipelineFixture()
    var request = ImageRequest(fixture.server.url("/a.png"))
    request.transfer.idleTimeout = .milliseconds(200)
    fixture.server.route("/a.png") { $0.reset() }
    #expect(await error(of: request, fixture)?.mayHeal == true)
    fixture.server.route("/a.png") { $0.holdUntilClosed() }
    #expect(await error(of: request, fixture)?.mayHeal == true)
    let task = fixture.pipeline.load(request).sink(
      receiveCompletion: { _ in }, receiveValue: { _ in })
    try await fixture.server.wait { $0.hits("/a.png") == 3 }
    task.cancel()
    fixture.server.serve("/a.png", PipelineFixture.png)
    #expect(await error(of: request, fixture) == nil)
    #expect(fixture.server.counts.hits("/a.png") == 4)
  }

  @Test func `R027: two that shared a failure do not hand it to later loads`() async throws {
    let fixture = try PipelineFixture()
    let gate = Gate()
    fixture.server.route("/a.png") { exchange in
      guard exchange.hold(until: gate) else { return }
      exchange.respond(500)
    }
    let request = ImageRequest(fixture.server.url("/a.png"))
    let counter = LoadCounter()
    let tasks = (0..<2).map { _ in counter.subscribe(to: fixture.pipeline.load(request)) }
    gate.open()
    await counter.wait { $0.finished == 2 }
    #expect(counter.now.failures.count == 2 && fixture.server.counts.hits("/a.png") == 1)
    fixture.server.serve("/a.png", PipelineFixture.png)
    #expect(await error(of: request, fixture) == nil)
    withExtendedLifetime(tasks) {}
  }

  @Test func `what a cache has is delivered though its source has failed`() async throws {
    let folder = TemporaryFolder()
    let fixture = try PipelineFixture(disk: DiskCache(folder: folder.path))
    fixture.server.serve("/a.png", PipelineFixture.png)
    var request = ImageRequest(fixture.server.url("/a.png"))
    request.caching.waitsForStore = true
    #expect(await error(of: request, fixture) == nil)
    fixture.server.serve("/a.png", [], status: 404)
    var asking = request
    asking.caching = .networkOnly
    #expect(await error(of: asking, fixture) != nil)
    fixture.cache.memory?.removeAll()
    #expect(try await fixture.pipeline.image(for: request).origin == .disk)
  }

  @Test func `a pipeline without a memory of failures asks each time`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", [], status: 404)
    let pipeline = ImagePipeline(
      configuration: .init(downloader: fixture.downloader, failures: nil))
    let request = ImageRequest(fixture.server.url("/a.png"))
    for _ in 0..<2 { _ = try? await pipeline.image(for: request) }
    #expect(fixture.server.counts.hits("/a.png") == 2)
  }
}
