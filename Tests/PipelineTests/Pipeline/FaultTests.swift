import Dispatch
import Flow
import Foundation
import Pipeline
import Synchronization
import TestSupport
import Testing

/// What users' code does at awkward moments, and what is right then.
@Suite(.timeLimit(.minutes(2))) struct FaultTests {
  @Test(arguments: [true, false])
  func `R019: the same load again from inside its end, a hundred deep`(cached: Bool) async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    var request = ImageRequest(fixture.server.url("/a.png"))
    if !cached { request.caching = .networkOnly }
    let counter = LoadCounter()
    let tasks = Mutex<[AnyCancellable]>([])
    let (pipeline, asked) = (fixture.pipeline, request)
    @Sendable func load(_ depth: Int) {
      let again = pipeline.load(asked).handleEvents(receiveCompletion: { _ in
        if depth < 100 { load(depth + 1) }
      })
      let task = counter.subscribe(to: again)
      tasks.withLock { $0.append(task) }
    }
    load(1)
    await counter.wait { $0.finished == 100 }
    #expect(counter.now.images == 100 && counter.now.failures.isEmpty)
  }

  @Test func `R017: asking the caches from inside a callback on a serial queue`() async throws {
    let fixture = try PipelineFixture()
    let queue = DispatchQueue(label: "callbacks")
    let counter = LoadCounter()
    let (pipeline, cache) = (fixture.pipeline, fixture.cache)
    let tasks = (0..<100).map { number in
      fixture.server.serve("/\(number).png", PipelineFixture.png)
      let request = ImageRequest(fixture.server.url("/\(number).png"))
      let load = pipeline.load(request).receive(on: queue).handleEvents(receiveOutput: { event in
        // B207: on the queue that was chosen.
        dispatchPrecondition(condition: .onQueue(queue))
        guard case .image = event else { return }
        #expect(pipeline.imageInMemory(for: request) != nil)
        #expect((cache.memory?.statistics.count ?? 0) > 0)
      })
      return counter.subscribe(to: load)
    }
    await counter.wait { $0.finished == 100 }
    #expect(counter.now.images == 100)
    withExtendedLifetime(tasks) {}
  }

  @Test func `R005, R008: an image that waits on a blocked queue is not told after a cancel`()
    async throws
  {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let queue = DispatchQueue(label: "callbacks")
    let block = DispatchSemaphore(value: 0)
    queue.async { block.wait() }
    let counter = LoadCounter()
    let load = fixture.pipeline.load(fixture.server.url("/a.png"))
    let ended = LoadCounter()
    let task = counter.subscribe(to: load.receive(on: queue))
    let witness = ended.subscribe(to: load)
    await ended.wait { $0.finished == 1 }
    task.cancel()
    task.cancel()
    block.signal()
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    #expect(counter.now.images == 0 && counter.now.finished == 0)
    withExtendedLifetime(witness) {}
  }

  @Test func `cancelling inside progress stops the load and frees the connection`() async throws {
    let fixture = try PipelineFixture()
    fixture.serveGated("/a.png", Gate())
    let subscription = Mutex<(any Subscription)?>(nil)
    let load = fixture.pipeline.load(fixture.server.url("/a.png")).handleEvents(
      receiveSubscription: { new in subscription.withLock { $0 = new } },
      receiveOutput: { event in
        guard case .progress(let progress) = event, progress.received > 0 else { return }
        subscription.withLock { $0 }?.cancel()
      })
    let counter = LoadCounter()
    let task = counter.subscribe(to: load)
    try await fixture.server.wait { $0.abandoned("/a.png") == 1 }
    #expect(counter.now.finished == 0 && fixture.pipeline.counters.cancelled == 1)
    withExtendedLifetime(task) {}
  }

  @Test func `a pipeline released while loads run goes on for them, and is gone then`()
    async throws
  {
    let fixture = try PipelineFixture()
    let gate = Gate()
    fixture.serveGated("/a.png", gate)
    let url = fixture.server.url("/a.png")
    var pipeline: ImagePipeline? = ImagePipeline()
    weak let remains = pipeline
    let counter = LoadCounter()
    let tasks = try (0..<10).map { _ in
      counter.subscribe(to: try #require(pipeline?.load(url)))
    }
    pipeline = nil
    gate.open()
    await counter.wait { $0.finished == 10 }
    #expect(counter.now.images == 10)
    for task in tasks { task.cancel() }
    #expect(remains == nil)
  }

  @Test func `a transform that throws is a typed error; one that never ends, ends at a deadline`()
    async throws
  {
    struct Broken: Error {}
    let bytes = ImageBytes(PipelineFixture.png)
    let pipeline = ImagePipeline()
    var request = ImageRequest(.bytes(bytes, key: "a"))
    request.transforms = [CustomTransform(name: "throws") { _, _ in throw Broken() }]
    await #expect(
      throws: LoadError.transform(
        .failed(transform: "custom(throws)", reason: "Broken()"), source: "a")
    ) { try await pipeline.image(for: request) }
    let isStopped = Gate()
    request.transforms = [
      CustomTransform(name: "endless") { bitmap, flag in
        while !flag.isCancelled {}
        isStopped.open()
        return bitmap
      }
    ]
    let late = LoadError.transform(
      .failed(transform: "endless", reason: "the deadline"), source: "a")
    let load = pipeline.load(request).timeout(
      .milliseconds(50), scheduler: DispatchQueue.global(), customError: { late })
    await #expect(throws: late) { for try await _ in load.values {} }
    let task = Task { try await pipeline.image(for: request) }
    await pipeline.shutDown(within: .milliseconds(50))
    await #expect(throws: LoadError.download(.shutDown, source: "a")) { try await task.value }
    while !isStopped.isOpen { await Task.yield() }
  }

  @Test func `a transform that never returns holds its worker, and no load but its own`()
    async throws
  {
    let pipeline = ImagePipeline()
    let bytes = ImageBytes(PipelineFixture.png)
    let release = DispatchSemaphore(value: 0)
    var request = ImageRequest(.bytes(bytes, key: "stuck"))
    request.transforms = [
      CustomTransform(name: "stuck") { bitmap, _ in
        release.wait()
        return bitmap
      }
    ]
    let late = LoadError.transform(.failed(transform: "stuck", reason: "late"), source: "stuck")
    let load = Load(request).download(with: Downloader()).decode()
      .transform(on: WorkerPool(width: 1))
      .timeout(.milliseconds(20), scheduler: DispatchQueue.global(), customError: { late })
    await #expect(throws: late) { for try await _ in load.values {} }
    #expect(try await pipeline.image(for: ImageRequest(.bytes(bytes, key: "b"))).bitmap.width == 8)
    release.signal()
  }

  @Test func `a hundred sizes of one URL make one request, one decode and a hundred pictures`()
    async throws
  {
    struct Counting: ImageDecoder {
      let format = ImageFormat.png
      let inner = PNGDecoder()
      let sessions = Counter()
      func accepts(prefix: [UInt8]) -> Bool { inner.accepts(prefix: prefix) }
      func makeSession(options: DecodingOptions) -> any DecodingSession {
        sessions.add()
        return inner.makeSession(options: options)
      }
    }
    let fixture = try PipelineFixture()
    let gate = Gate()
    fixture.serveGated("/a.png", gate, PipelineFixture.pngBytes(width: 128, height: 128))
    let decoder = Counting()
    let pipeline = fixture.pipeline.replacing {
      $0.decoders = DecoderRegistry.standard.adding(decoder)
    }
    let url = fixture.server.url("/a.png")
    let sizes = Mutex<Set<Int>>([])
    let counter = LoadCounter()
    let tasks = (1...100).map { side in
      var request = ImageRequest(url)
      request.transforms = [.resize(fitting: PixelSize(width: side, height: side))]
      let load = pipeline.load(request).handleEvents(receiveOutput: { event in
        guard case .image(let loaded) = event else { return }
        sizes.withLock { _ = $0.insert(loaded.bitmap.width) }
      })
      return counter.subscribe(to: load)
    }
    try await fixture.server.wait { $0.hits("/a.png") == 1 }
    gate.open()
    await counter.wait { $0.finished == 100 }
    #expect(sizes.withLock { $0 } == Set(1...100))
    #expect(fixture.server.counts.hits("/a.png") == 1 && decoder.sessions.value == 1)
    withExtendedLifetime(tasks) {}
  }

  @Test func `a shutdown in the middle of everything ends all of it, once each`() async throws {
    let fixture = try PipelineFixture()
    for number in 0..<20 { fixture.server.serve("/\(number).png", PipelineFixture.png) }
    for number in 20..<30 { fixture.serveGated("/\(number).png", Gate()) }
    let counter = LoadCounter()
    let prefetcher = Prefetcher(fixture.pipeline)
    let run = prefetcher.prefetch((0..<40).map { fixture.server.url("/\($0).png") })
    let tasks = (0..<300).map { number in
      var request = ImageRequest(fixture.server.url("/\(number % 30).png"))
      if number % 3 == 1 { request.transforms = [Halved()] }
      if number % 3 == 2 { request.caching = .refreshing }
      return counter.subscribe(to: fixture.pipeline.load(request))
    }
    for task in tasks.prefix(50) { task.cancel() }
    try await fixture.server.wait { $0.hits("/20.png") + $0.hits("/21.png") > 0 }
    await fixture.pipeline.shutDown()
    await counter.wait { $0.finished >= 250 }
    let counts = await run.value
    #expect(counts.done == 40)
    await fixture.idle()
    #expect(fixture.pipeline.counters.running == 0)
    try await fixture.server.wait { $0.active == 0 }
    let allowed = counter.now.failures.filter {
      if case .download(.shutDown, _) = $0 { false } else { true }
    }
    #expect(allowed.isEmpty)
    withExtendedLifetime(tasks) {}
  }

  @Test func `R021: two thousand loads at once need no threads, and leave no descriptors`()
    async throws
  {
    let fixture = try PipelineFixture()
    fixture.server.keepsRequests(false)
    fixture.server.route("/a.png") { $0.respond(200, [:], PipelineFixture.png) }
    let counter = LoadCounter()
    let before = ProcessCounts.threads
    let most = Mutex(0)
    let tasks = (0..<2_000).map { number in
      let request = ImageRequest(fixture.server.url("/a.png?\(number)"))
      let load = fixture.pipeline.load(request).handleEvents(receiveCompletion: { _ in
        if number % 100 == 0 { most.withLock { $0 = max($0, ProcessCounts.threads) } }
      })
      return counter.subscribe(to: load)
    }
    await counter.wait { $0.finished == 2_000 }
    #expect(counter.now.images == 2_000)
    // Servers and pools of earlier tests come and go; a thread a load would be two thousand.
    #expect(most.withLock { $0 } <= before + 200)
    await fixture.idle()
    #expect(fixture.pipeline.counters.running == 0)
    withExtendedLifetime(tasks) {}
  }
}

/// Counts from any thread.
final class Counter: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .acquiring) }
  func add() { count.add(1, ordering: .acquiringAndReleasing) }
}
