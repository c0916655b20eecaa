import Dispatch
import Flow
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// Loads that come when an equal one is just over: nothing is fetched twice.
@Suite(.timeLimit(.minutes(1))) struct LateLoadTests {
  /// A cache that does something of the test's at the awkward moment.
  private final class Watched: ImageCaching {
    let inner: ImageCache
    /// Called after the next look into memory, before its result is told.
    let afterLook = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ inner: ImageCache) { self.inner = inner }

    func pixels(forKey key: String) -> CachedPixels? {
      let pixels = inner.pixels(forKey: key)
      afterLook.withLock { $0.take() }?()
      return pixels
    }

    func store(_ pixels: CachedPixels, forKey key: String) { inner.store(pixels, forKey: key) }
    func removePixels(madeFrom key: String) { inner.removePixels(madeFrom: key) }

    func diskEntry(forKey key: String, variant: String) throws(CacheError) -> DiskEntry? {
      try inner.diskEntry(forKey: key, variant: variant)
    }

    func store(
      _ bytes: ImageBytes, response: StoredResponse?, forKey key: String, variant: String
    ) throws(CacheError) {
      try inner.store(bytes, response: response, forKey: key, variant: variant)
    }

    func remove(forKey key: String) throws(CacheError) { try inner.remove(forKey: key) }
    func removeAll() throws(CacheError) { try inner.removeAll() }
  }

  @Test func `an equal load that ends between the look into memory and the start is not repeated`()
    async throws
  {
    let cache = Watched(
      ImageCache(memory: ImageCache.imageMemory(limit: 1 << 20), disk: nil))
    let pipeline = ImagePipeline(configuration: .init(cache: cache))
    let calls = Atomic(0)
    let request = ImageRequest(
      .provider(
        ImageProvider(key: "a") {
          calls.add(1, ordering: .relaxed)
          return ImageBytes(PipelineFixture.png)
        }))
    let first = Mutex<AnyCancellable?>(nil)
    cache.afterLook.withLock {
      $0 = {
        let isOver = DispatchSemaphore(value: 0)
        let task = pipeline.load(request)
          .sink(receiveCompletion: { _ in isOver.signal() }, receiveValue: { _ in })
        first.withLock { $0 = task }
        isOver.wait()
      }
    }
    let counter = LoadCounter()
    // On a thread of its own: the look blocks it until the other load has ended.
    let late = Mutex<AnyCancellable?>(nil)
    Thread.detachNewThread {
      let task = counter.subscribe(to: pipeline.load(request))
      late.withLock { $0 = task }
    }
    await counter.wait { $0.finished == 1 }
    #expect(counter.now.images == 1 && counter.now.failures.isEmpty)
    #expect(calls.load(ordering: .relaxed) == 1)
    late.withLock { $0 = nil }
  }

  @Test func `bytes on their way to the disk are at hand until they are there`() async throws {
    let cache = ImageCache(memory: nil, disk: nil)
    let stores = StoresUnderWay()
    let url = try #require(URL(string: "https://example.com/a.png"))
    let request = ImageRequest(url)
    let bytes = EncodedImage(bytes: ImageBytes(PipelineFixture.png), origin: .network)
    func found() async throws -> ImageOrigin? {
      let chain = Load(request).cacheLookup(in: cache, tiers: .disk, orUnderWay: stores)
      for try await event in chain.values {
        if case .encoded(let encoded, _) = event { return encoded.origin }
      }
      return nil
    }
    #expect(try await found() == nil)
    let writes = Mutex(0)
    let write: @Sendable () -> Void = { writes.withLock { $0 += 1 } }
    let (first, second) = (stores.begin(bytes, for: request), stores.begin(bytes, for: request))
    stores.perform(first, write)
    #expect(try await found() == .disk)
    stores.perform(second, write)
    #expect(try await found() == nil && writes.withLock { $0 } == 2)
    // What is not to be written, or is for the server to judge, is told to nobody.
    var elsewhere = request
    elsewhere.caching = CachePolicy(read: .all, write: .memory)
    let local = EncodedImage(bytes: bytes.bytes, origin: .local)
    var byServer = request
    byServer.caching = .http
    let silent = [
      stores.begin(bytes, for: elsewhere), stores.begin(local, for: request),
      stores.begin(bytes, for: byServer),
    ]
    #expect(try await found() == nil)
    for one in silent { stores.perform(one, write) }
    #expect(writes.withLock { $0 } == 5)
  }

  @Test func `what is forgotten before it is written, or while it is, does not come back`()
    async throws
  {
    let folder = TemporaryFolder()
    let cache = ImageCache(memory: nil, disk: try DiskCache(folder: folder.path))
    let stores = StoresUnderWay()
    let request = ImageRequest(try #require(URL(string: "https://example.com/a.png")))
    let key = RequestKeys(request).original
    let bytes = EncodedImage(bytes: ImageBytes(PipelineFixture.png), origin: .network)
    func write() { try? cache.store(bytes.bytes, response: nil, forKey: key) }
    // Before: it is not written at all.
    let waiting = stores.begin(bytes, for: request)
    await stores.forget(key)
    #expect(stores.bytes(forKey: key) == nil)
    stores.perform(waiting, write)
    #expect(try cache.diskEntry(forKey: key) == nil)
    // While: who forgets it waits until it can be removed.
    let running = stores.begin(bytes, for: request)
    let order = Mutex<[String]>([])
    await withCheckedContinuation { began in
      Thread.detachNewThread {
        stores.perform(running) {
          began.resume()
          while stores.bytes(forKey: key) != nil { sched_yield() }
          order.withLock { $0.append("written") }
        }
      }
    }
    await stores.forgetAll()
    order.withLock { $0.append("forgotten") }
    #expect(order.withLock { $0 } == ["written", "forgotten"])
    // After, it is written as ever.
    stores.perform(stores.begin(bytes, for: request), write)
    #expect(try cache.diskEntry(forKey: key) != nil)
  }

  @Test func `load, forget, load again gives what the server has now, and nothing stays behind`()
    async throws
  {
    let folder = TemporaryFolder()
    let fixture = try PipelineFixture(disk: DiskCache(folder: folder.path))
    let url = fixture.server.url("/a.png")
    for width in 1...60 {
      fixture.server.serve("/a.png", PipelineFixture.pngBytes(width: width, height: 3))
      let loaded = try await fixture.pipeline.image(for: url)
      #expect(loaded.bitmap.width == width && loaded.origin == .network)
      if width.isMultiple(of: 2) {
        try await fixture.pipeline.forget(ImageRequest(url))
      } else {
        try await fixture.pipeline.forgetAll()
      }
    }
    await fixture.pipeline.shutDown()
    #expect(folder.files(in: "entries").isEmpty)
  }

  @Test func `other sizes and bytes asked for right behind a load cost no second request`()
    async throws
  {
    let folder = TemporaryFolder()
    let fixture = try PipelineFixture()
    let cache = ImageCache(memory: nil, disk: try DiskCache(folder: folder.path))
    let pipeline = fixture.pipeline.replacing { $0.cache = cache }
    for number in 0..<20 {
      fixture.server.serve("/\(number).png", PipelineFixture.png)
      var request = ImageRequest(fixture.server.url("/\(number).png"))
      if number.isMultiple(of: 2) {
        _ = try await pipeline.image(for: request)
      } else {
        _ = try await pipeline.data(for: request)
      }
      #expect(try await pipeline.data(for: request).origin == .disk)
      request.transforms = [Halved()]
      let small = try await pipeline.image(for: request)
      #expect(small.origin == .disk && small.bitmap.width == 4)
      #expect(fixture.server.counts.hits("/\(number).png") == 1)
    }
    await pipeline.shutDown()
  }
}
