import Flow
import Foundation
import Pipeline
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ShutdownTests {
  @Test func `loads that run are ended with a typed error, and later ones are refused`()
    async throws
  {
    let fixture = try PipelineFixture()
    fixture.serveGated("/a.png", Gate())
    let url = fixture.server.url("/a.png")
    let counter = LoadCounter()
    let loads = (0..<50).map { number in
      var request = ImageRequest(url)
      if number % 2 == 1 { request.transforms = [Halved()] }
      return counter.subscribe(to: fixture.pipeline.load(request))
    }
    try await fixture.server.wait { $0.hits("/a.png") == 1 }
    await fixture.pipeline.shutDown()
    let error = LoadError.download(.shutDown, source: url.absoluteString)
    #expect(counter.now.failures == Array(repeating: error, count: 50))
    #expect(counter.now.images == 0)
    await #expect(throws: error) { try await fixture.pipeline.image(for: url) }
    await #expect(throws: error) { try await fixture.pipeline.data(for: ImageRequest(url)) }
    try await fixture.server.wait { $0.abandoned("/a.png") == 1 }
    withExtendedLifetime(loads) {}
  }

  @Test func `loads that end within the limit are waited for, and no longer`() async throws {
    let fixture = try PipelineFixture()
    let gate = Gate()
    fixture.serveGated("/a.png", gate)
    let counter = LoadCounter()
    let load = counter.subscribe(to: fixture.pipeline.load(fixture.server.url("/a.png")))
    try await fixture.server.wait { $0.hits("/a.png") == 1 }
    async let end: Void = fixture.pipeline.shutDown(within: .seconds(600))
    gate.open()
    await end
    #expect(counter.now.images == 1 && counter.now.failures.isEmpty)
    withExtendedLifetime(load) {}
  }

  @Test func `a limit that runs out ends the rest`() async throws {
    let fixture = try PipelineFixture()
    fixture.serveGated("/a.png", Gate())
    let counter = LoadCounter()
    let load = counter.subscribe(to: fixture.pipeline.load(fixture.server.url("/a.png")))
    try await fixture.server.wait { $0.hits("/a.png") == 1 }
    await fixture.pipeline.shutDown(within: .milliseconds(20))
    #expect(counter.now.failures.count == 1)
    withExtendedLifetime(load) {}
  }

  @Test func `what was loaded is on disk when the shutdown returns`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let fixture = try PipelineFixture(disk: DiskCache(folder: folder.path))
    for number in 0..<20 {
      fixture.server.serve("/\(number).png", PipelineFixture.png)
      _ = try await fixture.pipeline.image(for: fixture.server.url("/\(number).png"))
    }
    await fixture.pipeline.shutDown()
    let disk = try #require(fixture.cache.disk)
    for number in 0..<20 {
      #expect(disk.contains(fixture.server.url("/\(number).png").absoluteString))
    }
  }

  @Test func `shutting down twice, and from inside a completion, ends`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let pipeline = fixture.pipeline
    let ended = PassthroughSubject<Void, Never>()
    let load = pipeline.load(fixture.server.url("/a.png")).sink { _ in
      Task {
        await pipeline.shutDown(within: .seconds(600))
        await pipeline.shutDown()
        ended.send(completion: .finished)
      }
    } receiveValue: { _ in
    }
    for await _ in ended.values {}
    withExtendedLifetime(load) {}
  }
}
