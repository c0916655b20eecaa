import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// Originals that take the place of others, and of what is no picture.
@Suite(.timeLimit(.minutes(1))) struct ReplacedOriginalTests {
  private let folder = TemporaryFolder()

  private func fixture() throws -> PipelineFixture {
    let fixture = try PipelineFixture(disk: DiskCache(folder: folder.path))
    fixture.server.serve("/a.png", PipelineFixture.png)
    return fixture
  }

  private func request(
    _ fixture: PipelineFixture, _ policy: CachePolicy = CachePolicy()
  ) -> ImageRequest {
    var request = ImageRequest(fixture.server.url("/a.png"))
    request.caching = policy
    request.caching.waitsForStore = true
    return request
  }

  @Test(arguments: [Array(PipelineFixture.png.prefix(60)), Array("no picture".utf8), []])
  func `R082: what is stored and no picture is fetched anew, in every mode that may`(
    damage: [UInt8]
  ) async throws {
    let fixture = try fixture()
    let disk = try #require(fixture.cache.disk)
    let key = request(fixture).source.name
    let response = StoredResponse(
      response: ImageResponse(
        url: fixture.server.url("/a.png"), status: 200,
        headers: [HeaderField(name: "Cache-Control", value: "max-age=60")], protocolName: "HTTP/1.1"
      ), requestHeaders: [], requestTime: fixture.cache.now, responseTime: fixture.cache.now)
    for policy in [CachePolicy(), .http, .refreshing] {
      try disk.store(ImageBytes(damage), response: response, for: key)
      fixture.cache.memory?.removeAll()
      await #expect(throws: LoadError.self) {
        try await fixture.pipeline.image(for: request(fixture, .cacheOnly))
      }
      #expect(
        try await fixture.pipeline.image(for: request(fixture, policy)).origin == .network)
      #expect(try disk.entry(for: key)?.bytes == ImageBytes(PipelineFixture.png))
      fixture.cache.memory?.removeAll()
      #expect(try await fixture.pipeline.image(for: request(fixture)).origin == .disk)
    }
    #expect(fixture.server.counts.hits("/a.png") == 3)
  }

  @Test func `what is no picture at its source either fails once, and is asked for once`()
    async throws
  {
    let fixture = try fixture()
    fixture.server.serve("/a.png", Array("no picture".utf8))
    try fixture.cache.disk?.store(
      ImageBytes(Array("nor this".utf8)), for: request(fixture).source.name)
    for _ in 0..<2 {
      await #expect(throws: LoadError.self) {
        try await fixture.pipeline.image(for: request(fixture))
      }
    }
    #expect(fixture.server.counts.hits("/a.png") == 1)
  }

  @Test(arguments: [CachePolicy.refreshing, .networkOnly])
  func `a changed original takes with it what was made of the former one`(policy: CachePolicy)
    async throws
  {
    let fixture = try fixture()
    var halved = request(fixture, .keepingResults)
    halved.transforms = [Halved()]
    #expect(try await fixture.pipeline.image(for: halved).bitmap.width == 4)
    fixture.server.serve("/a.png", PipelineFixture.pngBytes(width: 16, height: 6))
    #expect(
      try await fixture.pipeline.image(for: request(fixture, policy)).bitmap.width == 16)
    // From memory, and in the next process.
    #expect(try await fixture.pipeline.image(for: halved).bitmap.width == 8)
    #expect(fixture.cache.memoryImage(forKey: RequestKeys(request(fixture)).image) != nil)
    fixture.cache.memory?.removeAll()
    #expect(try await fixture.pipeline.image(for: halved).bitmap.width == 8)
    #expect(fixture.server.counts.hits("/a.png") == 2)
  }

  @Test func `while a changed original is stored, its equals find it, and nobody asks again`()
    async throws
  {
    let disk = try DiskCache(folder: folder.path)
    let watched = WatchedCache(
      cache: ImageCache(memory: ImageCache.imageMemory(limit: 1 << 20), disk: disk))
    let server = try FaultServer()
    server.serve("/a.png", PipelineFixture.png)
    let pipeline = ImagePipeline(configuration: .init(cache: watched))
    var request = ImageRequest(server.url("/a.png"))
    request.caching.waitsForStore = true
    _ = try await pipeline.image(for: request)
    server.serve("/a.png", PipelineFixture.pngBytes(width: 16, height: 6))
    request.caching = .networkOnly
    request.caching.waitsForStore = true
    _ = try await pipeline.image(for: request)
    // At each step of storing, memory has the new pixels and the disk an original.
    let key = RequestKeys(request)
    #expect(watched.steps.withLock { $0.count } > 1)
    #expect(
      watched.steps.withLock { $0 }.allSatisfy { $0.width == 16 && $0.hasOriginal })
    #expect(watched.pixels(forKey: key.image)?.image.size.width == 16)
  }

  @Test func `the same original, fetched again, leaves what was made of it`() async throws {
    let fixture = try fixture()
    var halved = request(fixture, .keepingResults)
    halved.transforms = [Halved()]
    _ = try await fixture.pipeline.image(for: halved)
    _ = try await fixture.pipeline.image(for: request(fixture, .networkOnly))
    #expect(fixture.cache.memoryImage(forKey: RequestKeys(halved).image) != nil)
    fixture.cache.memory?.removeAll()
    let again = try await fixture.pipeline.image(for: halved)
    #expect(again.origin == .disk && again.encoded?.bytes != ImageBytes(PipelineFixture.png))
  }
}

/// Notes what is there after each step that changes the tiers behind memory.
private final class WatchedCache: ImageCaching {
  struct Step {
    let width: Int?
    let hasOriginal: Bool
  }

  let cache: ImageCache
  let steps = Mutex<[Step]>([])

  init(cache: ImageCache) { self.cache = cache }

  func pixels(forKey key: String) -> CachedPixels? { cache.pixels(forKey: key) }
  func store(_ pixels: CachedPixels, forKey key: String) { cache.store(pixels, forKey: key) }
  func removePixels(madeFrom key: String) { cache.removePixels(madeFrom: key) }
  func removePixels(madeFrom key: String, keeping kept: String) {
    cache.removePixels(madeFrom: key, keeping: kept)
    note(key)
  }
  func diskEntry(forKey key: String, variant: String) throws(CacheError) -> DiskEntry? {
    try cache.diskEntry(forKey: key, variant: variant)
  }
  func store(
    _ bytes: ImageBytes, response: StoredResponse?, forKey key: String, variant: String
  ) throws(CacheError) {
    // The first load's store has nothing to watch.
    if cache.disk?.contains(key) == true { note(key) }
    try cache.store(bytes, response: response, forKey: key, variant: variant)
  }
  func removeVariants(ofKey key: String) {
    cache.removeVariants(ofKey: key)
    note(key)
  }
  func remove(forKey key: String) throws(CacheError) {
    try cache.remove(forKey: key)
    note(key)
  }
  func removeAll() throws(CacheError) { try cache.removeAll() }

  private func note(_ key: String) {
    let step = Step(
      width: cache.pixels(forKey: key)?.image.size.width,
      hasOriginal: cache.disk?.contains(key) == true)
    steps.withLock { $0.append(step) }
  }
}
