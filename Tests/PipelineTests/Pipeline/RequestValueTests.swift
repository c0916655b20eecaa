import Flow
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// Values of the user's that go with a request, and what copies of requests share.
@Suite(.timeLimit(.minutes(1))) struct RequestValueTests {
  private enum ScreenName: RequestValueKey { static let defaultValue = "unknown" }
  private enum Attempt: RequestValueKey { static let defaultValue = 0 }

  @Test func `a value is found under its key, others have their default, copies are apart`() {
    let url = URL(fileURLWithPath: "/a.png")
    var request = ImageRequest(url)
    #expect(request[ScreenName.self] == "unknown" && request[Attempt.self] == 0)
    request[ScreenName.self] = "album"
    var copy = request
    copy[ScreenName.self] = "cover"
    copy[Attempt.self] += 1
    #expect(request[ScreenName.self] == "album" && request[Attempt.self] == 0)
    #expect(copy[ScreenName.self] == "cover" && copy[Attempt.self] == 1)
    #expect(RequestKeys(request) == RequestKeys(ImageRequest(url)))
  }

  @Test func `hooks, interceptors and the image tell the values, of shared loads each its own`()
    async throws
  {
    struct Watching: LoadInterceptor {
      let seen: @Sendable (String) -> Void
      func load(_ request: ImageRequest, next: @escaping Next) -> AnyPublisher<LoadEvent, LoadError>
      {
        seen(request[ScreenName.self])
        return next(request)
      }
    }
    let fixture = try PipelineFixture()
    let gate = Gate()
    fixture.serveGated("/a.png", gate)
    let seen = Mutex<[String]>([])
    let told = Mutex<Set<String>>([])
    let pipeline = fixture.pipeline.replacing {
      $0.hooks.interceptors = [Watching { name in seen.withLock { $0.append(name) } }]
      $0.hooks.mayDownload = { $0[ScreenName.self] == "first" }
    }
    let counter = LoadCounter()
    let tasks = ["first", "second", "third"].map { name in
      var request = ImageRequest(fixture.server.url("/a.png"))
      request[ScreenName.self] = name
      let load = pipeline.load(request).handleEvents(receiveOutput: { event in
        guard case .image(let loaded) = event else { return }
        told.withLock { _ = $0.insert(loaded.request[ScreenName.self]) }
      })
      return counter.subscribe(to: load)
    }
    gate.open()
    await counter.wait { $0.finished == 3 }
    #expect(counter.now.images == 3 && fixture.server.counts.hits("/a.png") == 1)
    #expect(seen.withLock { $0 } == ["first", "second", "third"])
    #expect(told.withLock { $0 } == ["first", "second", "third"])
    withExtendedLifetime(tasks) {}
  }

  @Test func `keys follow every change of a request, also after they were asked for`() {
    var request = ImageRequest(URL(fileURLWithPath: "/a.png"))
    var seen: Set<String> = [RequestKeys(request).image]
    let changes: [(inout ImageRequest) -> Void] = [
      { $0.decoding.targetSize = PixelSize(width: 10, height: 10) }, { $0.transforms = [Halved()] },
      { $0.transformsAnimations = true }, { $0.scale = 2 }, { $0.key = "another" },
      {
        $0.source = .url(URL(fileURLWithPath: "/b.png")); $0.key = nil
      },
      { $0.transfer.headers = [HeaderField(name: "Cookie", value: "a=b")] },
    ]
    for change in changes {
      change(&request)
      #expect(seen.insert(RequestKeys(request).image).inserted)
    }
    // What is set to what it was is the same request again.
    let plain = ImageRequest(URL(fileURLWithPath: "/a.png"))
    var same = plain
    same.transfer.headers = []
    same.priority = .high
    #expect(RequestKeys(same) == RequestKeys(plain))
    same.transfer.usesCookies = true
    #expect(RequestKeys(same).transfer != RequestKeys(plain).transfer)
  }

  @Test func `who asks for previews finds the picture of one who did not, and the other way round`()
    async throws
  {
    let fixture = try PipelineFixture()
    for path in ["/a.png", "/b.png"] { fixture.server.serve(path, PipelineFixture.png) }
    let plain = ["/a.png", "/b.png"].map { ImageRequest(fixture.server.url($0)) }
    let watching = plain.map {
      $0.applying(.progressive, RequestPreset { $0.decoding.acceptsPartial = true })
    }
    #expect(RequestKeys(plain[0]).image == RequestKeys(watching[0]).image)
    #expect(RequestKeys(plain[0]).decode != RequestKeys(watching[0]).decode)
    for (first, second) in [(plain[0], watching[0]), (watching[1], plain[1])] {
      #expect(try await fixture.pipeline.image(for: first).origin == .network)
      #expect(fixture.pipeline.imageInMemory(for: second)?.bitmap.width == 8)
      #expect(try await fixture.pipeline.image(for: second).origin == .memory)
    }
    #expect(fixture.cache.memory?.statistics.count == 2)
    // While they run, only one of them is shown previews.
    let gate = Gate()
    fixture.serveGated("/c.png", gate)
    let request = ImageRequest(fixture.server.url("/c.png"))
    let counter = LoadCounter()
    let tasks = [request, request.applying(.progressive)].map {
      counter.subscribe(to: fixture.pipeline.load($0))
    }
    gate.open()
    await counter.wait { $0.finished == 2 }
    #expect(counter.now.images == 2 && fixture.server.counts.hits("/c.png") == 1)
    withExtendedLifetime(tasks) {}
  }

  @Test func `memory is asked once for each load, whichever entry it comes by`() async throws {
    let fixture = try PipelineFixture()
    for path in ["/a.png", "/b.png", "/c.png"] { fixture.server.serve(path, PipelineFixture.png) }
    func statistics() -> (hits: Int, misses: Int) {
      let statistics = fixture.cache.memory?.statistics
      return (statistics?.hits ?? 0, statistics?.misses ?? 0)
    }
    let requests = ["/a.png", "/b.png", "/c.png"].map { ImageRequest(fixture.server.url($0)) }
    for _ in 1...2 {
      _ = try await fixture.pipeline.image(for: requests[0])
      for try await _ in fixture.pipeline.events(for: requests[1]) {}
      let counter = LoadCounter()
      let task = counter.subscribe(to: fixture.pipeline.load(requests[2]))
      await counter.wait { $0.finished == 1 }
      withExtendedLifetime(task) {}
    }
    #expect(statistics() == (3, 3))
    #expect(fixture.pipeline.counters.begun == 6)
    #expect(fixture.pipeline.counters.delivered == [.network: 3, .memory: 3])
  }

  @Test func `measurements are told to the nanosecond, and nothing is told of what did not happen`()
  {
    var metrics = LoadMetrics()
    #expect(metrics.lookup == nil && metrics.moments.began == nil)
    metrics.lookup = .nanoseconds(1_500_000_001)
    let now = ContinuousClock.now
    metrics.moments.began = now
    metrics.moments.stored = now - .seconds(3_600)
    #expect(metrics.lookup == .nanoseconds(1_500_000_001))
    #expect(metrics.moments.began == now && metrics.moments.stored == now - .seconds(3_600))
    metrics.lookup = nil
    metrics.moments.began = nil
    #expect(metrics.lookup == nil && metrics.moments.began == nil)
    #expect(metrics.moments.stored == now - .seconds(3_600))
  }
}
