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

  @Test func `B192: an animation stays as it is unless its frames are to be transformed`()
    async throws
  {
    let fixture = try PipelineFixture()
    let frames = [UInt8(10), 200].map { red in
      Bitmap(size: PixelSize(width: 8, height: 6), color: Pixel(red: red, green: 0, blue: 0))
    }
    let animation = Animation(
      delays: [.milliseconds(100), .milliseconds(200)], loopCount: 3, residentByteCount: 0
    ) { index throws(DecodeError) in frames[index] }
    let moving = DecodedImage(bitmap: frames[0], animation: animation, format: .gif)
    let bytes = try GIFEncoder().encode(moving)
    fixture.server.serve("/a.gif", bytes.prefix(bytes.count))
    var request = ImageRequest(fixture.server.url("/a.gif"))
    request.transforms = [Halved()]
    let untouched = try await fixture.pipeline.image(for: request).image
    #expect(untouched.size == PixelSize(width: 8, height: 6) && untouched.frameCount == 2)
    request.transformsAnimations = true
    let changed = try await fixture.pipeline.image(for: request).image
    let last = try #require(changed.animation).frame(at: 1)
    #expect(changed.size == PixelSize(width: 4, height: 3) && changed.frameCount == 2)
    #expect(changed.animation?.delays == animation.delays && changed.animation?.loopCount == 3)
    #expect(last[1, 1] == Pixel(red: 200, green: 0, blue: 0))
  }

  @Test
  func `R059 R061: what a disk holds answers the next process, and a broken load leaves nothing`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try PipelineFixture(disk: DiskCache(folder: folder.path))
    first.server.serve("/a.png", PipelineFixture.png)
    first.server.serve("/cut.png", Array(PipelineFixture.png.dropLast(30)))
    var request = ImageRequest(first.server.url("/a.png"))
    request.caching.waitsForStore = true
    #expect(try await first.pipeline.image(for: request).origin == .network)
    var cut = ImageRequest(first.server.url("/cut.png"))
    cut.caching.waitsForStore = true
    await #expect(throws: LoadError.self) { try await first.pipeline.image(for: cut) }
    let second = try PipelineFixture(disk: DiskCache(folder: folder.path))
    let again = try await second.pipeline.image(for: request)
    #expect(again.origin == .disk && again.bitmap.size == PixelSize(width: 8, height: 6))
    #expect(first.server.counts.hits("/a.png") == 1)
    cut.caching = .cacheOnly
    await #expect(throws: LoadError.cacheLookup(.notCached, source: cut.source.name)) {
      try await second.pipeline.image(for: cut)
    }
  }

  private func lastImage(of chain: some Publisher<LoadEvent, LoadError>) async throws
    -> LoadedImage?
  {
    var last: LoadedImage?
    for try await event in chain.values { if case .image(let loaded) = event { last = loaded } }
    return last
  }
}
