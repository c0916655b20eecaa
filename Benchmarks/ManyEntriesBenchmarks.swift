import Foundation
import Pipeline

/// K3: look-ups and inserts among a thousand entries and among many. K4: opening. K5: look-ups
/// while many are trimmed.
func manyEntriesBenchmarks(_ report: BenchmarkReport) {
  if report.wants("K3.memory") {
    for count in [100_000, 1_000_000] { memoryBenchmarks(report, count) }
  }
  guard ["K3.disk", "K4", "K5"].contains(where: report.wants) else { return }
  // A million files take minutes to write and to remove: on wish only.
  let isFull = ProcessInfo.processInfo.environment["FLOW_MILLION"] != nil
  let few = ManyEntries(1_000)
  for count in isFull ? [100_000, 1_000_000] : [100_000] {
    let many = ManyEntries(count)
    if report.wants("K3.disk") { diskBenchmarks(report, many, few) }
    if report.wants("K4") { openingBenchmark(report, many, few) }
    if report.wants("K5") { trimmingBenchmark(report, many) }
  }
}

private func memoryBenchmarks(_ report: BenchmarkReport, _ count: Int) {
  let (many, few) = (ManyImages(count), ManyImages(1_000))
  report.compare(
    "K3.memory.lookup.\(count)", "memory hit among \(count) entries, floor: among 1000",
    operations: 100_000, ours: many.lookUp, floor: few.lookUp)
  report.compare(
    "K3.memory.insert.\(count)",
    "insert into a full memory tier of \(count) entries, floor: of 1000",
    operations: 10_000, ours: many.insert, floor: few.insert)
}

/// A memory tier that holds as many images as it may.
private final class ManyImages {
  private let cache: ImageCache
  private let asked: [String]
  private var next: Int

  init(_ count: Int) {
    cache = ImageCache(
      memory: ImageCache.imageMemory(limit: 1 << 40, count: count), disk: nil)
    for number in 0..<count { cache.store(Self.image(), forKey: cachedAddress + "\(number).jpg") }
    asked = (0..<1_000).map { cachedAddress + "\($0 * 7_919 % count).jpg" }
    next = count
  }

  func lookUp() {
    for _ in 0..<100 { for key in asked { blackHole(cache.memoryImage(forKey: key)) } }
  }

  /// Ten thousand new ones; as many go, which nobody holds any more.
  func insert() {
    for _ in 0..<10_000 {
      cache.store(Self.image(), forKey: cachedAddress + "\(next).jpg")
      next += 1
    }
  }

  private static func image() -> DecodedImage {
    DecodedImage(
      bitmap: Bitmap(size: PixelSize(width: 1, height: 1), color: .clear), format: .png)
  }
}

/// A folder with many entries of a kilobyte.
final class ManyEntries {
  let count: Int
  let configuration: DiskCacheConfiguration
  private let folder = BenchmarkFolder()
  private let cache: DiskCache?
  private let bytes = ImageBytes([UInt8](repeating: 7, count: 1_000))

  var path: String { folder.path }

  init(_ count: Int) {
    self.count = count
    var configuration = DiskCacheConfiguration()
    configuration.maximumSize = 1 << 40
    configuration.lifetime = .unlimited
    self.configuration = configuration
    cache = try? DiskCache(folder: folder.path, configuration: configuration)
    for index in 0..<count { try? cache?.store(bytes, for: cachedAddress + "\(index)") }
    check(cache?.statistics.entryCount ?? 0, count, "entries")
  }

  func lookUp() {
    for index in 0..<1_000 {
      blackHole(try? cache?.entry(for: cachedAddress + "\(index * 97 % count)"))
    }
  }

  /// Time to insert one new entry, in nanoseconds; takes them out again.
  func insert() -> Double {
    let new = (0..<200).map { "new " + cachedAddress + "\($0)" }
    let time = nanoseconds { for key in new { try? cache?.store(bytes, for: key) } }
    check(cache?.statistics.entryCount ?? 0, count + 200, "inserted entries")
    for key in new { cache?.remove(key, variant: "") }
    return time / 200
  }

  func open() {
    for _ in 0..<10 {
      blackHole(try? DiskCache(folder: folder.path, configuration: configuration))
    }
  }
}

private func diskBenchmarks(_ report: BenchmarkReport, _ many: ManyEntries, _ few: ManyEntries) {
  report.compare(
    "K3.disk.lookup.\(many.count)",
    "disk look-up among \(many.count) entries, floor: among \(few.count)", operations: 1_000,
    ours: many.lookUp, floor: few.lookUp)
  var times: (many: [Double], few: [Double]) = ([], [])
  for _ in 0..<9 {
    times.many.append(many.insert())
    times.few.append(few.insert())
  }
  report.record(
    "K3.disk.insert.\(many.count)",
    "disk insert among \(many.count) entries, floor: among \(few.count)",
    ours: median(times.many), floor: median(times.few), unit: "ns")
}

private func openingBenchmark(_ report: BenchmarkReport, _ many: ManyEntries, _ few: ManyEntries) {
  report.compare(
    "K4.\(many.count)", "opening with \(many.count) entries, floor: with \(few.count)",
    operations: 10, ours: many.open, floor: few.open)
}
