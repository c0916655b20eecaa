import AllocationShims
import Dispatch
import Flow
import Foundation
import Pipeline
import Synchronization

/// P1–P6: what whole loads cost beside their parts.
func pipelineBenchmarks(_ report: BenchmarkReport) async {
  await memoryHitBenchmarks(report)
  if report.wants("P2") { await diskHitBenchmark(report) }
  if report.wants("P3") || report.wants("P4") { networkBenchmarks(report) }
  if report.wants("P5") { await prefetchBenchmark(report) }
  if report.wants("P6") { await slowBenchmark(report) }
  if report.wants("P7") { await slotBenchmark(report) }
}

/// P1: a load whose image is in memory, by each of the three entries.
private func memoryHitBenchmarks(_ report: BenchmarkReport) async {
  let image = DecodedImage(
    bitmap: Bitmap(size: PixelSize(width: 10, height: 10), color: .clear), format: .png)
  guard let url = URL(string: "https://images.example.com/albums/2024/summer/picture.jpg") else {
    return
  }
  let cache = ImageCache(memory: ImageCache.imageMemory(limit: 1 << 30), disk: nil)
  let request = ImageRequest(url)
  let key = RequestKeys(request).image
  cache.store(image, forKey: key)
  let pipeline = ImagePipeline(configuration: .init(cache: cache))
  let dictionary = Mutex([key: image])
  let count = 10_000
  func floor() { for _ in 0..<count { blackHole(dictionary.withLock { $0[key] }) } }
  report.compare(
    "P1.publisher", "memory hit by load(_:).sink, floor: a dictionary behind a mutex",
    operations: count,
    ours: {
      let images = Atomic(0)
      for _ in 0..<count {
        let load = pipeline.load(request).sink(
          receiveCompletion: { _ in },
          receiveValue: { event in
            if case .image = event { images.add(1, ordering: .relaxed) }
          })
        load.cancel()
      }
      check(images.load(ordering: .relaxed), count, "memory hits in the same turn")
    }, floor: floor)
  if report.wants("P1.allocations") {
    let image = Mutex<LoadedImage?>(nil)
    let task = { (load: AnyPublisher<LoadEvent, LoadError>) in
      load.sink(
        receiveCompletion: { _ in },
        receiveValue: { event in
          if case .image(let loaded) = event { image.withLock { $0 = loaded } }
        })
    }
    await recordAllocations(report, "publisher") { task(pipeline.load(request)).cancel() }
    await recordAllocations(report, "sequence") {
      for try await event in pipeline.events(for: request) { if case .image = event { return } }
    }
    await recordAllocations(report, "async") { blackHole(try await pipeline.image(for: request)) }
  }
  if report.wants("P1.sequence") {
    let time = await timeEach(count) {
      for try await event in pipeline.events(for: request) { if case .image = event { return } }
    }
    report.record(
      "P1.sequence", "memory hit by for await events(for:), the same floor", ours: time,
      floor: report.time(count, floor), unit: "ns")
  }
  if report.wants("P1.async") {
    let time = await timeEach(count) { blackHole(try await pipeline.image(for: request)) }
    report.record(
      "P1.async", "memory hit by await image(for:), the same floor", ours: time,
      floor: report.time(count, floor), unit: "ns")
  }
}

/// Blocks of memory that a memory hit asks for; the floor is the limit for Flow's shortest chain.
private func recordAllocations(
  _ report: BenchmarkReport, _ entry: String, _ body: () async throws -> Void
) async {
  guard allocation_count() >= 0 else { return print("P1: allocations NOT MEASURED, needs glibc") }
  let count = 1_000
  for _ in 0..<count { try? await body() }
  let before = allocation_count()
  for _ in 0..<count { try? await body() }
  report.record(
    "P1.\(entry).allocations", "blocks of memory for a memory hit; floor: the limit of F7",
    ours: Double(allocation_count() - before) / Double(count), floor: 5, unit: "blocks")
}

/// The median of the nanoseconds that one of many runs of `body` takes.
func timeEach(_ count: Int, rounds: Int = 7, _ body: () async throws -> Void) async -> Double {
  var times: [Double] = []
  for _ in 0..<rounds {
    let start = ContinuousClock.now
    for _ in 0..<count { try? await body() }
    times.append(start.duration(to: .now) / .nanoseconds(1) / Double(count))
  }
  return median(times)
}

/// P2: a JPEG of 50 kB from disk to pixels.
private func diskHitBenchmark(_ report: BenchmarkReport) async {
  let folder = FileManager.default.temporaryDirectory.appending(path: "flow-P2-\(UUID())")
  defer { try? FileManager.default.removeItem(at: folder) }
  guard let disk = try? DiskCache(folder: folder.path(percentEncoded: false)),
    let url = URL(string: "https://example.com/picture.jpg")
  else { return }
  let bytes = encoded(BenchmarkPictures.photo(width: 640, height: 360), JPEGEncoder())
  try? disk.store(bytes, response: nil, for: RequestKeys(ImageRequest(url)).original)
  let plain = folder.appending(path: "plain.jpg").path(percentEncoded: false)
  try? bytes.data.write(to: URL(fileURLWithPath: plain))
  let pipeline = ImagePipeline(
    configuration: .init(cache: ImageCache(memory: nil, disk: disk)))
  var (ours, floor): ([Double], [Double]) = ([], [])
  for _ in 0..<7 {
    ours.append(await timeEach(50, rounds: 1) { _ = try await pipeline.image(for: url) })
    floor.append(
      await timeEach(50, rounds: 1) {
        guard let data = FileManager.default.contents(atPath: plain) else { return }
        check(BareCodecs.jpeg(ImageBytes(data)), 360, "rows")
      })
  }
  report.record(
    "P2", "disk hit of a JPEG of \(bytes.count) bytes; floor: open, read, libjpeg",
    ours: median(ours) / 1e3, floor: median(floor) / 1e3, unit: "us")
}

/// P5: a million URLs that a loader of this process answers at once.
private func prefetchBenchmark(_ report: BenchmarkReport) async {
  struct Local: ImageDownloader {
    let bytes: ImageBytes
    func transfer(for request: ImageRequest) -> AnyPublisher<TransferEvent, DownloadError> {
      Just(TransferEvent.bytes(EncodedImage(bytes: bytes, origin: .local)))
        .setFailureType(to: DownloadError.self).eraseToAnyPublisher()
    }
  }
  let bytes = encoded(BenchmarkPictures.photo(width: 8, height: 8), PNGEncoder())
  let pipeline = ImagePipeline(
    configuration: .init(downloader: Local(bytes: bytes), failures: nil))
  let prefetcher = Prefetcher(pipeline, to: .disk)
  let urls = { (count: Int) in
    (0..<count).publisher.map { number in
      URL(string: "local://picture/\(number)") ?? URL(fileURLWithPath: "/")
    }
  }
  _ = await prefetcher.prefetch(urls(10_000)).value
  let before = MemoryUse.current
  MemoryUse.resetPeak()
  let count = 1_000_000
  let start = ContinuousClock.now
  let counts = await prefetcher.prefetch(urls(count)).value
  let time = start.duration(to: .now) / .microseconds(1)
  check(counts.finished, count, "prefetched")
  report.record(
    "P5.time", "a prefetched URL of a million, answered in the process; floor: the target",
    ours: time / Double(count), floor: 10, unit: "us")
  report.record(
    "P5.memory", "memory more than before, at most; floor: the target",
    ours: Double(MemoryUse.peak - before) / 1e6, floor: 8, unit: "MB")
}

/// P6: a JPEG of 12 megapixels that comes slowly: what is left to do after its last byte.
private func slowBenchmark(_ report: BenchmarkReport) async {
  let bytes = encoded(BenchmarkPictures.photo(width: 4000, height: 3000), JPEGEncoder())
  var (ours, whole): ([Double], [Double]) = ([], [])
  for round in 0..<5 {
    whole.append(nanoseconds { _ = decoded(bytes) } / 1e6)
    let last = Mutex(ContinuousClock.now)
    let provider = ImageProvider(key: "slow \(round)", expected: bytes.count) {
      SlowPieces(bytes: bytes.prefix(bytes.count)) { last.withLock { $0 = .now } }
    }
    guard (try? await ImagePipeline().image(for: ImageRequest(.provider(provider)))) != nil else {
      return print("P6: no image")
    }
    ours.append(last.withLock { $0 }.duration(to: .now) / .milliseconds(1))
  }
  report.record(
    "P6", "last byte to image, a slow JPEG of 12 megapixels; floor: the whole decode",
    ours: median(ours), floor: median(whole), unit: "ms")
}

/// Bytes in pieces of 16 kB, each a while after the one before.
private struct SlowPieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
  var bytes: [UInt8]
  let willEnd: @Sendable () -> Void
  var offset = 0

  init(bytes: [UInt8], willEnd: @escaping @Sendable () -> Void) {
    self.bytes = bytes
    self.willEnd = willEnd
  }

  func makeAsyncIterator() -> SlowPieces { self }

  mutating func next() async -> ArraySlice<UInt8>? {
    guard offset < bytes.count else { return nil }
    try? await Task.sleep(for: .milliseconds(2))
    let end = Swift.min(offset + 16_384, bytes.count)
    defer { offset = end }
    if end == bytes.count { willEnd() }
    return bytes[offset..<end]
  }
}

/// P7: one slot that is told to show another picture ten thousand times.
private func slotBenchmark(_ report: BenchmarkReport) async {
  let bytes = encoded(BenchmarkPictures.photo(width: 64, height: 64), PNGEncoder())
  let seconds = await showOften(10_000, bytes)
  report.record(
    "P7", "a slot shown 10,000 times; floor: a second", ours: seconds, floor: 1, unit: "s")
}

@MainActor private func showOften(_ count: Int, _ bytes: ImageBytes) async -> Double {
  let slot = ImageSlot(ImagePipeline())
  let time = nanoseconds {
    for number in 0..<count { slot.show(ImageRequest(.bytes(bytes, key: "\(number)"))) }
  }
  for await content in slot.changes.values { if case .image = content { break } }
  return time / 1e9
}
