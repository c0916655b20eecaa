import Flow
import Foundation
import Pipeline
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct PrefetcherTests {
  private func urls(_ fixture: PipelineFixture, _ count: Int) -> [URL] {
    (0..<count).map { fixture.server.url("/\($0).png") }
  }

  @Test func `R096: ten URLs, three of them bad: one end, ten done, progress never runs back`()
    async throws
  {
    let fixture = try PipelineFixture()
    for number in 0..<7 { fixture.server.serve("/\(number).png", PipelineFixture.png) }
    let prefetcher = Prefetcher(fixture.pipeline)
    let seen = Mutex<[PrefetchCounts]>([])
    let ends = Atomic(0)
    let run = prefetcher.prefetch(urls(fixture, 10))
    let task = run.progress.sink { _ in
      ends.add(1, ordering: .relaxed)
    } receiveValue: { counts in
      seen.withLock { $0.append(counts) }
    }
    let counts = await run.value
    #expect(counts.done == 10 && counts.finished == 7 && counts.failed == 3)
    let done = seen.withLock { $0 }.map(\.done)
    #expect(done == done.sorted() && done.last == 10)
    #expect(ends.load(ordering: .relaxed) == 1)
    let again = await prefetcher.prefetch(urls(fixture, 7)).value
    #expect(again.skipped == 7 && again.finished == 0)
    withExtendedLifetime(task) {}
  }

  @Test func `a list that turns out to be empty is over at once, however it ends`() async throws {
    let fixture = try PipelineFixture()
    let prefetcher = Prefetcher(fixture.pipeline)
    #expect(await prefetcher.prefetch([URL]()).value == PrefetchCounts())
    #expect(await prefetcher.prefetch(Empty<URL, Never>()).value == PrefetchCounts())
    let none = urls(fixture, 3).publisher.filter { _ in false }
    #expect(await prefetcher.prefetch(none).value == PrefetchCounts())
    let deferred = prefetcher.prefetch(Empty<URL, Never>(completeImmediately: false))
    deferred.cancel()
    #expect(await deferred.value == PrefetchCounts())
  }

  @Test func `to disk, what is no picture has failed, and is not asked for again`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/0.png", Array("<html></html>".utf8))
    fixture.server.serve("/1.png", PipelineFixture.png)
    let prefetcher = Prefetcher(fixture.pipeline, to: .disk)
    for _ in 0..<2 {
      let counts = await prefetcher.prefetch(urls(fixture, 2)).value
      #expect(counts.failed == 1 && counts.finished == 1)
    }
    #expect(fixture.server.counts.hits("/0.png") == 1)
  }

  @Test func `R099: twenty URLs over three slots: all are fetched, never more than three at once`()
    async throws
  {
    let fixture = try PipelineFixture()
    for number in 0..<20 { fixture.server.serve("/\(number).png", PipelineFixture.png) }
    let run = Prefetcher(fixture.pipeline, slots: 3)
    let counts = await run.prefetch(urls(fixture, 20)).value
    #expect(counts.finished == 20)
    #expect(fixture.server.counts.mostAtOnce <= 3)
    withExtendedLifetime(run) {}
  }

  @Test func `to disk: bytes are stored, no pixels are made, and damaged ones count as had`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let fixture = try PipelineFixture(disk: DiskCache(folder: folder.path))
    fixture.server.serve("/0.png", PipelineFixture.png)
    fixture.server.serve("/1.png", Array(PipelineFixture.png.dropLast(30)))
    let prefetcher = Prefetcher(fixture.pipeline, to: .disk)
    let counts = await prefetcher.prefetch(urls(fixture, 3)).value
    #expect(counts.finished == 2 && counts.failed == 1)
    await fixture.pipeline.shutDown()
    #expect(fixture.cache.memory?.statistics.count == 0)
    #expect(fixture.cache.disk?.contains(fixture.server.url("/0.png").absoluteString) == true)
    let pipeline = ImagePipeline(
      configuration: .init(cache: fixture.cache, downloader: fixture.downloader))
    let later = Prefetcher(pipeline, to: .disk)
    #expect(await later.prefetch(urls(fixture, 1)).value.skipped == 1)
    #expect(fixture.server.counts.hits("/0.png") == 1)
  }

  @Test func `paused, nothing more is asked for; stopped, running ones are cancelled`()
    async throws
  {
    let fixture = try PipelineFixture()
    for number in 0..<5 { fixture.serveGated("/\(number).png", Gate()) }
    let prefetcher = Prefetcher(fixture.pipeline, slots: 2)
    prefetcher.pause()
    let run = prefetcher.prefetch(urls(fixture, 5))
    #expect(run.now.taken == 0 && fixture.pipeline.counters.begun == 0)
    prefetcher.resume()
    try await fixture.server.wait { $0.active == 2 }
    run.cancel()
    let counts = await run.value
    #expect(counts.taken == 2 && counts.done == 0)
    try await fixture.server.wait { $0.openConnections == 0 }
    await fixture.idle()
    #expect(fixture.pipeline.counters.cancelled == 2)
  }

  @Test func `stopping a prefetch leaves a user's load of the same picture alone`() async throws {
    let fixture = try PipelineFixture()
    let gate = Gate()
    fixture.serveGated("/0.png", gate)
    let prefetcher = Prefetcher(fixture.pipeline)
    prefetcher.prefetch(urls(fixture, 1))
    try await fixture.server.wait { $0.hits("/0.png") == 1 }
    let counter = LoadCounter()
    let load = counter.subscribe(to: fixture.pipeline.load(fixture.server.url("/0.png")))
    prefetcher.stopAll()
    gate.open()
    await counter.wait { $0.finished == 1 }
    #expect(counter.now.images == 1 && fixture.server.counts.hits("/0.png") == 1)
    withExtendedLifetime(load) {}
  }

  @Test func `a prefetcher that is released stops its runs and is gone`() async throws {
    let fixture = try PipelineFixture()
    for number in 0..<3 { fixture.serveGated("/\(number).png", Gate()) }
    var prefetcher: Prefetcher? = Prefetcher(fixture.pipeline, slots: 2)
    weak let remains = prefetcher
    let run = prefetcher?.prefetch(urls(fixture, 3))
    try await fixture.server.wait { $0.active == 2 }
    prefetcher = nil
    #expect(remains == nil)
    #expect(await run?.value.done == 0)
    try await fixture.server.wait { $0.abandoned("/0.png") == 1 && $0.abandoned("/1.png") == 1 }
  }

  @Test func `a stream of URLs is asked for one at a time`() async throws {
    let fixture = try PipelineFixture()
    for number in 0..<4 { fixture.server.serve("/\(number).png", PipelineFixture.png) }
    let asked = Atomic(0)
    let stream = urls(fixture, 4).publisher.handleEvents(receiveRequest: { demand in
      asked.add(demand.max ?? 1_000_000, ordering: .relaxed)
    })
    let prefetcher = Prefetcher(fixture.pipeline, slots: 2)
    #expect(await prefetcher.prefetch(stream).value.finished == 4)
    #expect(asked.load(ordering: .relaxed) <= 5)
  }

  @Test func `four thousand sources, half of them bad: all are counted, no threads are added`()
    async throws
  {
    let cache = ImageCache(memory: ImageCache.imageMemory(limit: 1 << 20), disk: nil)
    let pipeline = ImagePipeline(configuration: .init(cache: cache, failures: nil))
    let good = try #require(URL(string: "data:image/png;base64,\(Self.pixel)"))
    let bad = try #require(URL(string: "no-such-scheme:picture"))
    _ = try await pipeline.image(for: good)
    let prefetcher = Prefetcher(pipeline)
    let threads = ProcessCounts.threads
    let count = 4_000
    let list = (0..<count).publisher.map { $0 % 2 == 0 ? good : bad }
    let counts = await prefetcher.prefetch(list).value
    #expect(counts.skipped == count / 2 && counts.failed == count / 2)
    #expect(ProcessCounts.threads <= threads + 8)
  }

  private static let pixel = Data(PipelineFixture.pngBytes(width: 1, height: 1))
    .base64EncodedString()
}
