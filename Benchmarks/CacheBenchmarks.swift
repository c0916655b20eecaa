import Dispatch
import Foundation
import Pipeline
import Synchronization

/// K1 to K6.
func cacheBenchmarks(_ report: BenchmarkReport) {
  memoryHitBenchmarks(report)
  diskHitBenchmark(report)
  if ["K3", "K4", "K5"].contains(where: report.wants) { manyEntriesBenchmarks(report) }
  threadsBenchmark(report)
}

private let address = "https://images.example.com/albums/2024/summer/picture-"

private func memoryHitBenchmarks(_ report: BenchmarkReport) {
  let image = DecodedImage(
    bitmap: Bitmap(size: PixelSize(width: 10, height: 10), color: .clear), format: .png)
  for (id, count) in [("K1", 1_000), ("K3.memory", 1_000_000)] where report.wants(id) {
    let cache = ImageCache(memory: ImageCache.imageMemory(limit: 1 << 40), disk: nil)
    var keys: [String] = []
    for index in 0..<count { keys.append(address + "\(index).jpg") }
    for key in keys { cache.store(image, forKey: key) }
    let dictionary = Mutex(Dictionary(uniqueKeysWithValues: keys.map { ($0, image) }))
    let asked = (0..<1_000).map { keys[$0 * 7_919 % count] }
    report.compare(
      id, "memory hit among \(count) entries, floor: a dictionary behind a mutex",
      operations: 100_000,
      ours: { for _ in 0..<100 { for key in asked { blackHole(cache.memoryImage(forKey: key)) } } },
      floor: {
        for _ in 0..<100 {
          for key in asked { blackHole(dictionary.withLock { $0[key] }) }
        }
      })
  }
}

private func diskHitBenchmark(_ report: BenchmarkReport) {
  let folder = BenchmarkFolder()
  for (id, size) in [("K2", 50_000), ("K2.large", 5_000_000)] where report.wants(id) {
    guard let cache = try? DiskCache(folder: folder.path) else { return }
    let bytes = ImageBytes((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let key = address + "1.jpg"
    guard (try? cache.store(bytes, for: key)) != nil else { return }
    let path = cache.path(for: key)
    let operations = size > 1_000_000 ? 20 : 1_000
    report.compare(
      id, "disk hit of \(size) bytes, floor: open, read, close", operations: operations,
      ours: {
        for _ in 0..<operations {
          let entry = try? cache.entry(for: key)
          check(entry?.bytes.count ?? 0, size, "disk hit")
        }
      },
      floor: {
        for _ in 0..<operations { check(readFile(path), bytesWithHeader(size), "read") }
      })
  }
}

/// What a file of `size` bytes takes with its header, whose key is short.
private func bytesWithHeader(_ size: Int) -> Int { size + 128 }

private func readFile(_ path: String) -> Int {
  let descriptor = open(path, O_RDONLY)
  guard descriptor >= 0 else { return -1 }
  defer { close(descriptor) }
  var status = stat()
  fstat(descriptor, &status)
  let buffer = UnsafeMutableRawPointer.allocate(byteCount: Int(status.st_size), alignment: 16)
  defer { buffer.deallocate() }
  return read(descriptor, buffer, Int(status.st_size))
}

/// K3: look-ups among a thousand and among many entries. K4: opening. K5: look-ups while trimming.
private func manyEntriesBenchmarks(_ report: BenchmarkReport) {
  // A million files take minutes to write and to remove: on wish only.
  let isFull = ProcessInfo.processInfo.environment["FLOW_MILLION"] != nil
  let (few, many) = (1_000, isFull ? 1_000_000 : 100_000)
  let folders = (few: BenchmarkFolder(), many: BenchmarkFolder())
  let bytes = ImageBytes([UInt8](repeating: 7, count: 1_000))
  var configuration = DiskCacheConfiguration()
  configuration.maximumSize = 1 << 40
  guard let small = try? DiskCache(folder: folders.few.path, configuration: configuration),
    let large = try? DiskCache(folder: folders.many.path, configuration: configuration)
  else { return }
  for index in 0..<few { try? small.store(bytes, for: address + "\(index)") }
  for index in 0..<many { try? large.store(bytes, for: address + "\(index)") }
  report.compare(
    "K3", "disk look-up among \(many) entries, floor: among \(few)", operations: 1_000,
    ours: {
      for index in 0..<1_000 { blackHole(try? large.entry(for: address + "\(index * 97)")) }
    },
    floor: { for index in 0..<1_000 { blackHole(try? small.entry(for: address + "\(index)")) } })
  report.compare(
    "K4", "opening with \(many) entries, floor: with \(few)", operations: 10,
    ours: {
      for _ in 0..<10 {
        blackHole(try? DiskCache(folder: folders.many.path, configuration: configuration))
      }
    },
    floor: {
      for _ in 0..<10 {
        blackHole(try? DiskCache(folder: folders.few.path, configuration: configuration))
      }
    })
  if report.wants("K5") { trimmingBenchmark(report, folders.many.path, many) }
}

private func trimmingBenchmark(_ report: BenchmarkReport, _ path: String, _ count: Int) {
  var configuration = DiskCacheConfiguration()
  configuration.maximumSize = 1 << 40
  guard let full = try? DiskCache(folder: path, configuration: configuration) else { return }
  let bytes = full.statistics.byteCount
  let removed = min(100_000, count / 2)
  configuration.maximumSize = bytes - 1
  configuration.trimmedPart = 1 - Double(removed) / Double(count)
  guard let cache = try? DiskCache(folder: path, configuration: configuration) else { return }
  let start = ContinuousClock.now
  let trimming = longestLookUp(in: cache, count) { cache.trim() }
  let duration = start.duration(to: .now)
  // The same for as long without trimming: what the machine itself makes a look-up wait.
  let quiet = longestLookUp(in: cache, count) {
    DispatchSemaphore(value: 0).wait(for: duration)
  }
  report.record(
    "K5",
    "longest look-up while \(cache.statistics.evictions) of \(count) entries are trimmed in "
      + "\(duration); floor: while none are", ours: trimming, floor: quiet, unit: "ms")
}

/// Looks up entries until `work` is done; the longest time one look-up took, in milliseconds.
private func longestLookUp(in cache: DiskCache, _ count: Int, while work: () -> Void) -> Double {
  let isDone = Atomic(false)
  let worst = Mutex(0.0)
  let group = DispatchGroup()
  DispatchQueue.global().async(group: group) {
    var index = 0
    while !isDone.load(ordering: .relaxed) {
      index = (index + 7_919) % count
      let time = nanoseconds { blackHole(try? cache.entry(for: address + "\(index)")) }
      worst.withLock { $0 = max($0, time / 1e6) }
    }
  }
  work()
  isDone.store(true, ordering: .relaxed)
  group.wait()
  return worst.withLock { $0 }
}

extension DispatchSemaphore {
  fileprivate func wait(for duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    _ = wait(timeout: .now() + .nanoseconds(nanoseconds))
  }
}

private func threadsBenchmark(_ report: BenchmarkReport) {
  let cache = MemoryCache<String, Int>(limits: .init(cost: 1 << 30))
  let keys = (0..<1_000).map { address + "\($0).jpg" }
  for key in keys { cache.store(1, cost: 1, for: key) }
  let look: @Sendable (Int) -> Void = { rounds in
    for _ in 0..<rounds { for key in keys { blackHole(cache.value(for: key)) } }
  }
  report.compare(
    "K6", "a memory hit from 8 threads, in total; floor: from one", operations: 160_000,
    ours: { DispatchQueue.concurrentPerform(iterations: 8) { _ in look(20) } },
    floor: { look(160) })
}

@inline(never) func blackHole<Value>(_ value: Value) {}

/// A folder that is removed when it is released.
private final class BenchmarkFolder {
  let path = FileManager.default.temporaryDirectory.path + "/benchmark-\(UUID().uuidString)"

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
