import Dispatch
import Foundation
import Pipeline
import Synchronization

/// K5: the longest look-up while a tenth of the entries are trimmed, in alternation with as long a
/// time in which none are.
///
/// What a look-up waits for a processor is the machine's doing and is counted by the kernel: the
/// second line leaves it out. What remains is what look-ups compute and what they are blocked by.
func trimmingBenchmark(_ report: BenchmarkReport, _ entries: ManyEntries) {
  let rounds = 5
  let part = min(100_000, entries.count / 2) / rounds
  var (trimming, quiet) = (Stalls(), Stalls())
  var (removed, duration) = (0, Duration.zero)
  for round in 0..<rounds {
    guard let cache = trimmed(entries, keeping: entries.count - (round + 1) * part, round) else {
      return
    }
    let start = ContinuousClock.now
    trimming.add(stalls(of: cache, entries.count) { cache.trim() })
    let time = start.duration(to: .now)
    quiet.add(
      stalls(of: cache, entries.count) { Thread.sleep(forTimeInterval: time / .seconds(1)) })
    removed += cache.statistics.evictions
    duration += time
  }
  let note =
    "longest of \(trimming.count) look-ups while \(removed) of \(entries.count) entries are "
    + "trimmed in \(duration); floor: of \(quiet.count) while none are"
  report.record(
    "K5.\(entries.count)", note, ours: trimming.longest, floor: quiet.longest, unit: "ms")
  report.record(
    "K5.blocked.\(entries.count)", "the same without what they waited for a processor",
    ours: trimming.longestBlocked, floor: quiet.longestBlocked, unit: "ms")
}

/// The folder opened with a limit that trims it down to `count` entries.
private func trimmed(_ entries: ManyEntries, keeping count: Int, _ round: Int) -> DiskCache? {
  var configuration = entries.configuration
  guard let full = try? DiskCache(folder: entries.path, configuration: configuration) else {
    return nil
  }
  let statistics = full.statistics
  configuration.maximumSize = statistics.byteCount - 1
  configuration.trimmedPart = Double(count) / Double(statistics.entryCount)
  return try? DiskCache(folder: entries.path, configuration: configuration)
}

private struct Stalls {
  var count = 0
  /// In milliseconds.
  var longest = 0.0
  var longestBlocked = 0.0

  mutating func add(_ other: Stalls) {
    count += other.count
    longest = max(longest, other.longest)
    longestBlocked = max(longestBlocked, other.longestBlocked)
  }
}

/// Looks up entries until `work` is done: the later half of those stored, because what is used is not
/// trimmed.
private func stalls(of cache: DiskCache, _ count: Int, while work: () -> Void) -> Stalls {
  let isDone = Atomic(false)
  let result = Mutex(Stalls())
  let group = DispatchGroup()
  DispatchQueue.global().async(group: group) {
    var stalls = Stalls()
    let waiting = WaitForProcessor()
    var index = 0
    while !isDone.load(ordering: .relaxed) {
      index = (index + 7_919) % (count / 2)
      let waited = waiting.milliseconds
      let time =
        nanoseconds { blackHole(try? cache.entry(for: cachedAddress + "\(count / 2 + index)")) }
        / 1e6
      stalls.count += 1
      stalls.longest = max(stalls.longest, time)
      stalls.longestBlocked = max(
        stalls.longestBlocked, time - (waiting.milliseconds - waited))
    }
    result.withLock { $0 = stalls }
  }
  work()
  isDone.store(true, ordering: .relaxed)
  group.wait()
  return result.withLock { $0 }
}

/// How long this thread has been ready to run without running, as the kernel counts it.
private struct WaitForProcessor: ~Copyable {
  private let file = open("/proc/thread-self/schedstat", O_RDONLY)

  deinit { close(file) }

  var milliseconds: Double {
    withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { text in
      let count = pread(file, text.baseAddress, text.count, 0)
      guard count > 0 else { return 0 }
      let words = text[..<count].split(separator: UInt8(ascii: " "))
      guard words.count > 1, let wait = Double(String(decoding: words[1], as: UTF8.self)) else {
        return 0
      }
      return wait / 1e6
    }
  }
}
