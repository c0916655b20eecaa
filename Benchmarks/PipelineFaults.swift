import Flow
import Foundation
import Pipeline
import Synchronization

/// S1–S6: what users' code does at awkward moments, at full scale. Times are told; what is checked is
/// that each load ends once and rightly, and that nothing is left: objects, threads, descriptors.
func pipelineFaults(_ report: BenchmarkReport) async {
  let bytes = encoded(BenchmarkPictures.photo(width: 64, height: 48), PNGEncoder())
  await measured(report, "S1", "a slot shown 10,000 times") { await slotFault(10_000, bytes) }
  await measured(report, "S2", "a million prefetched URLs, half of them bad") {
    await prefetchFault(1_000_000, bytes)
  }
  for (id, what, body) in loopbackFaults {
    guard report.wants(id) else { continue }
    let path = FileManager.default.temporaryDirectory.appending(path: "flow-\(id)-\(UUID()).png")
      .path(percentEncoded: false)
    guard (try? bytes.data.write(to: URL(fileURLWithPath: path))) != nil,
      let (server, port) = try? FileServer.start(file: path)
    else { return print("\(id): no server") }
    await measured(report, id, what) {
      await body { number in
        URL(string: "http://127.0.0.1:\(port)/file?\(number)") ?? URL(fileURLWithPath: "/")
      }
    }
    kill(server.processIdentifier, SIGKILL)
    unlink(path)
  }
}

private typealias Address = @Sendable (Int) -> URL

private let loopbackFaults: [(String, String, @Sendable (@escaping Address) async -> Void)] = [
  ("S3", "a shutdown in the middle of 10,000 loads and a prefetch", shutdownFault),
  ("S4", "the pipeline released while 10,000 loads run", releaseFault),
  ("S5", "10,000 loads that are cancelled inside their progress", cancelFault),
  ("S6", "the same load again inside its end, 10,000 deep", repeatFault),
]

private func measured(
  _ report: BenchmarkReport, _ id: String, _ what: String, _ body: () async -> Void
) async {
  guard report.wants(id) else { return }
  // Threads and descriptors that a process has from then on come with the first load.
  _ = try? await ImagePipeline().image(
    for: ImageRequest(
      .bytes(
        encoded(BenchmarkPictures.photo(width: 8, height: 8), PNGEncoder()), key: "warm")))
  // Sleeping takes a timer of its own.
  try? await Task.sleep(for: .milliseconds(1))
  let (threads, descriptors) = (MemoryUse.threads, MemoryUse.descriptors)
  let start = ContinuousClock.now
  await body()
  let seconds = start.duration(to: .now) / .seconds(1)
  // Connections that were kept alive close a moment after their downloader is gone.
  for _ in 0..<500 where MemoryUse.descriptors > descriptors {
    try? await Task.sleep(for: .milliseconds(10))
  }
  check(max(0, MemoryUse.descriptors - descriptors), 0, "\(id): descriptors left")
  precondition(MemoryUse.threads <= threads + 80, "\(id): threads \(MemoryUse.threads)")
  report.record(id, what, ours: seconds, floor: 0, unit: "s")
}

@MainActor private func slotFault(_ count: Int, _ bytes: ImageBytes) async {
  var pipeline: ImagePipeline? = ImagePipeline()
  weak let left = pipeline
  guard let owned = pipeline else { return }
  let slot = ImageSlot(owned)
  pipeline = nil
  for number in 0..<count { slot.show(ImageRequest(.bytes(bytes, key: "\(number)"))) }
  for await content in slot.changes.values { if case .image = content { break } }
  check(slot.loaded?.request.source.name == "\(count - 1)" ? 1 : 0, 1, "S1: the last is shown")
  let counters = owned.counters
  check(counters.begun, count, "S1: loads")
  check(counters.delivered.values.reduce(counters.cancelled, +), count, "S1: ends")
  withExtendedLifetime(left) {}
}

/// Answers at once: every second source with a picture, the others with a failure.
private struct HalfBad: ImageDownloader {
  let bytes: ImageBytes

  func transfer(for request: ImageRequest) -> AnyPublisher<TransferEvent, DownloadError> {
    guard case .url(let url) = request.source, Int(url.lastPathComponent)?.isMultiple(of: 2) == true
    else {
      return Fail(outputType: TransferEvent.self, failure: .refused(status: 404, retryAfter: nil))
        .eraseToAnyPublisher()
    }
    return Just(TransferEvent.bytes(EncodedImage(bytes: bytes, origin: .local)))
      .setFailureType(to: DownloadError.self).eraseToAnyPublisher()
  }
}

private func prefetchFault(_ count: Int, _ bytes: ImageBytes) async {
  let pipeline = ImagePipeline(configuration: .init(downloader: HalfBad(bytes: bytes)))
  let prefetcher = Prefetcher(pipeline, to: .disk)
  let urls = (0..<count).publisher.map { number in
    URL(string: "local://picture/\(number)") ?? URL(fileURLWithPath: "/")
  }
  let before = MemoryUse.current
  MemoryUse.resetPeak()
  let counts = await prefetcher.prefetch(urls).value
  check(counts.finished, count / 2, "S2: finished")
  check(counts.failed, count / 2, "S2: failed")
  check(counts.done, count, "S2: done")
  // Ten thousand failures are remembered.
  precondition(MemoryUse.peak - before < 32 << 20, "S2: memory \(MemoryUse.peak - before)")
}

@Sendable private func shutdownFault(_ address: @escaping Address) async {
  let count = 10_000
  let (images, failures, ends) = (Counter(), Counter(), Counter())
  let pipeline = ImagePipeline()
  let prefetcher = Prefetcher(pipeline)
  let run = prefetcher.prefetch((0..<count).map(address))
  let tasks = (0..<count).map { number in
    var request = ImageRequest(address(number % 3_000))
    if number % 3 == 1 { request.transforms = [.flip(.horizontal)] }
    return pipeline.load(request).sink { end in
      if case .failure(.download(.shutDown, _)) = end { failures.add() }
      ends.add()
    } receiveValue: { event in
      if case .image = event {
        images.add()
      }
    }
  }
  while images.value < 500 { await Task.yield() }
  await pipeline.shutDown()
  ends.wait(for: count)
  check(images.value + failures.value, count, "S3: an image or the one failure")
  let counts = await run.value
  check(counts.done, count, "S3: prefetched or failed")
  check(pipeline.counters.running, 0, "S3: running")
  withExtendedLifetime((tasks, prefetcher)) {}
}

@Sendable private func releaseFault(_ address: @escaping Address) async {
  let count = 10_000
  let (images, ends) = (Counter(), Counter())
  var pipeline: ImagePipeline? = ImagePipeline()
  weak let left = pipeline
  let tasks = (0..<count).compactMap { number in
    pipeline?.load(address(number)).sink { _ in
      ends.add()
    } receiveValue: { event in
      if case .image = event { images.add() }
    }
  }
  pipeline = nil
  ends.wait(for: count)
  check(images.value, count, "S4: images")
  for task in tasks { task.cancel() }
  for _ in 0..<500 where left != nil { try? await Task.sleep(for: .milliseconds(10)) }
  check(left == nil ? 0 : 1, 0, "S4: pipelines left")
}

@Sendable private func cancelFault(_ address: @escaping Address) async {
  let count = 10_000
  let (cancels, wrong) = (Counter(), Counter())
  let pipeline = ImagePipeline()
  let subscriptions = Mutex<[Int: any Subscription]>([:])
  for number in 0..<count {
    pipeline.load(address(number)).subscribe(
      AnySubscriber<LoadEvent, LoadError>(
        receiveSubscription: { subscription in
          subscriptions.withLock { $0[number] = subscription }
          subscription.request(.unlimited)
        },
        receiveValue: { event in
          guard let subscription = subscriptions.withLock({ $0.removeValue(forKey: number) })
          else {
            wrong.add()
            return .none
          }
          subscription.cancel()
          cancels.add()
          return .none
        }, receiveCompletion: { _ in wrong.add() }))
  }
  cancels.wait(for: count)
  check(wrong.value, 0, "S5: told after a cancel")
  for _ in 0..<500 where pipeline.counters.running > 0 {
    try? await Task.sleep(for: .milliseconds(10))
  }
  check(pipeline.counters.cancelled, count, "S5: cancelled")
  check(pipeline.counters.running, 0, "S5: running")
}

@Sendable private func repeatFault(_ address: @escaping Address) async {
  let count = 10_000
  let ends = Counter()
  let pipeline = ImagePipeline(
    configuration: .init(
      cache: ImageCache(memory: ImageCache.imageMemory(limit: 1 << 24), disk: nil)))
  let tasks = Mutex<[AnyCancellable]>([])
  @Sendable func load(_ depth: Int) {
    let task = pipeline.load(address(depth % 100)).sink { _ in
      ends.add()
      if depth + 1 < count { load(depth + 1) }
    } receiveValue: { _ in
    }
    tasks.withLock { $0.append(task) }
  }
  load(0)
  ends.wait(for: count)
  check(pipeline.counters.begun, count, "S6: loads")
}
