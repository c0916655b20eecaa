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
    /// Writing bytes waits for it.
    let writing: DispatchSemaphore?

    init(_ inner: ImageCache, writing: DispatchSemaphore? = nil) {
      self.inner = inner
      self.writing = writing
    }

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
      writing?.wait()
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
    let late = counter.subscribe(to: pipeline.load(request))
    await counter.wait { $0.finished == 1 }
    #expect(counter.now.images == 1 && counter.now.failures.isEmpty)
    #expect(calls.load(ordering: .relaxed) == 1)
    withExtendedLifetime(late) {}
  }

  @Test(arguments: [true, false])
  func `bytes on their way to the disk are at hand for another size, and for who wants bytes`(
    forBytes: Bool
  ) async throws {
    let folder = TemporaryFolder()
    let writing = DispatchSemaphore(value: 0)
    let cache = Watched(
      ImageCache(memory: nil, disk: try DiskCache(folder: folder.path)), writing: writing)
    let fixture = try PipelineFixture()
    let pipeline = fixture.pipeline.replacing { $0.cache = cache }
    fixture.server.serve("/a.png", PipelineFixture.png)
    let url = fixture.server.url("/a.png")
    if forBytes {
      _ = try await pipeline.data(for: ImageRequest(url))
    } else {
      _ = try await pipeline.image(for: url)
    }
    var small = ImageRequest(url)
    small.transforms = [Halved()]
    let second = try await pipeline.image(for: small)
    #expect(second.origin == .disk && second.bitmap.width == 4)
    #expect(try await pipeline.data(for: ImageRequest(url)).origin == .disk)
    #expect(fixture.server.counts.hits("/a.png") == 1)
    writing.signal()
    await pipeline.shutDown()
    #expect(try cache.diskEntry(forKey: pipeline.keys(for: small).original) != nil)
  }
}
