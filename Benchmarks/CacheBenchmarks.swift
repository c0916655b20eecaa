import AllocationShims
import Dispatch
import Foundation
import Pipeline
import Synchronization

/// K1 to K6.
func cacheBenchmarks(_ report: BenchmarkReport) {
  if report.wants("K1") { memoryHitBenchmark(report) }
  diskHitBenchmark(report)
  if ["K3", "K4", "K5"].contains(where: report.wants) { manyEntriesBenchmarks(report) }
  threadsBenchmark(report)
}

let cachedAddress = "https://images.example.com/albums/2024/summer/picture-"

private func memoryHitBenchmark(_ report: BenchmarkReport) {
  let image = DecodedImage(
    bitmap: Bitmap(size: PixelSize(width: 10, height: 10), color: .clear), format: .png)
  let cache = ImageCache(memory: ImageCache.imageMemory(limit: 1 << 40), disk: nil)
  let keys = (0..<1_000).map { cachedAddress + "\($0).jpg" }
  for key in keys { cache.store(image, forKey: key) }
  let dictionary = Mutex(Dictionary(uniqueKeysWithValues: keys.map { ($0, image) }))
  let ours = {
    for _ in 0..<100 { for key in keys { blackHole(cache.memoryImage(forKey: key)) } }
  }
  let floor = {
    for _ in 0..<100 { for key in keys { blackHole(dictionary.withLock { $0[key] }) } }
  }
  report.compare(
    "K1", "memory hit among 1000 entries, floor: a dictionary behind a mutex",
    operations: 100_000, ours: ours, floor: floor)
  guard allocation_count() >= 0 else { return }
  report.record(
    "K1.blocks", "allocations of 100,000 memory hits, floor: of as many look-ups",
    ours: allocations(ours), floor: allocations(floor), unit: "blocks")
}

private func diskHitBenchmark(_ report: BenchmarkReport) {
  let folder = BenchmarkFolder()
  for (id, size) in [("K2", 50_000), ("K2.large", 5_000_000)] where report.wants(id) {
    guard let cache = try? DiskCache(folder: folder.path) else { return }
    let bytes = ImageBytes((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let key = cachedAddress + "1.jpg"
    guard (try? cache.store(bytes, for: key)) != nil else { return }
    let path = cache.path(for: key)
    let operations = size > 1_000_000 ? 20 : 1_000
    let ours = {
      for _ in 0..<operations {
        check((try? cache.entry(for: key))?.bytes.count ?? 0, size, "disk hit")
      }
    }
    let floor = {
      for _ in 0..<operations { check(readFile(path), bytesWithHeader(size), "read") }
    }
    let note = "disk hit of \(size) bytes, floor: open, read, close"
    report.compare(id, note, operations: operations, ours: ours, floor: floor)
    // On a busy machine the one that counts.
    report.compare(
      id + ".cpu", note + "; time of the processor", operations: operations, clock: .computing,
      ours: ours, floor: floor)
    guard allocation_count() >= 0 else { continue }
    report.record(
      id + ".blocks", "allocations of a disk hit of \(size) bytes, floor: of open, read, close",
      ours: allocations(ours) / Double(operations), floor: allocations(floor) / Double(operations),
      unit: "blocks")
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

private func threadsBenchmark(_ report: BenchmarkReport) {
  let cache = MemoryCache<String, Int>(limits: .init(cost: 1 << 30))
  let keys = (0..<1_000).map { cachedAddress + "\($0).jpg" }
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
final class BenchmarkFolder {
  let path = FileManager.default.temporaryDirectory.path + "/benchmark-\(UUID().uuidString)"

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
