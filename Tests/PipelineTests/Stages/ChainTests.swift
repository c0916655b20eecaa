import Flow
import Foundation
import Pipeline
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ChainTests {
  @Test func `a chain of the user's own loads, transforms and keeps an image`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let chain = Load(fixture.server.url("/a.png"))
      .cacheLookup(in: fixture.cache)
      .download(with: fixture.downloader)
      .decode()
      .transform(Halved())
      .store(in: fixture.cache)
    for origin in [ImageOrigin.network, .memory] {
      let loaded = try await lastImage(of: chain)
      #expect(loaded?.origin == origin)
      #expect(loaded?.bitmap.size == PixelSize(width: 4, height: 3))
    }
    #expect(fixture.server.counts.hits("/a.png") == 1)
  }

  @Test func `operators may stand between the stages`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let chain = Load(fixture.server.url("/a.png"))
      .download(with: fixture.downloader)
      .filter { event in if case .progress = event { false } else { true } }
      .decode()
      .handleEvents()
      .transform(Halved())
    #expect(try await lastImage(of: chain)?.bitmap.width == 4)
  }

  @Test func `decode before download fails at once and says what to swap`() async throws {
    let fixture = try PipelineFixture()
    let url = fixture.server.url("/a.png")
    let chain = Load(url).decode().download(with: fixture.downloader)
    let error = await #expect(throws: LoadError.self) { try await lastImage(of: chain) }
    #expect(error == .incompleteChain(.requestNotAnswered, source: url.absoluteString))
    #expect("\(try #require(error))".contains("put download before decode"))
    #expect(fixture.server.counts.hits("/a.png") == 0)
  }

  @Test func `transform before decode fails and says what to swap`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let url = fixture.server.url("/a.png")
    let chain = Load(url).download(with: fixture.downloader).transform().decode()
    await #expect(throws: LoadError.incompleteChain(.bytesNotDecoded, source: url.absoluteString)) {
      try await lastImage(of: chain)
    }
  }

  @Test func `a chain without a decoder that must give an image names the bytes nobody took`()
    async throws
  {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let url = fixture.server.url("/a.png")
    let chain = Load(url).download(with: fixture.downloader).requireImage()
    await #expect(throws: LoadError.incompleteChain(.bytesNotDecoded, source: url.absoluteString)) {
      try await lastImage(of: chain)
    }
  }

  @Test func `progress never decreases, and comes before the image`() async throws {
    let fixture = try PipelineFixture()
    let gate = Gate()
    fixture.serveGated("/a.png", gate)
    gate.open()
    var received: [Int] = []
    var ended = false
    for try await event in fixture.pipeline.events(for: ImageRequest(fixture.server.url("/a.png")))
    {
      switch event {
      case .progress(let progress):
        #expect(!ended)
        received.append(progress.received)
      case .image: ended = true
      default: break
      }
    }
    #expect(ended)
    #expect(received == received.sorted())
    #expect(received.last == PipelineFixture.png.count)
  }

  private func lastImage(of chain: some Publisher<LoadEvent, LoadError>) async throws
    -> LoadedImage?
  {
    var last: LoadedImage?
    for try await event in chain.values { if case .image(let loaded) = event { last = loaded } }
    return last
  }
}
