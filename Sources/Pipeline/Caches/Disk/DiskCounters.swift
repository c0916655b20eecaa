import Synchronization

/// How a disk cache has answered: counted without a lock that anybody holds for long, so that no look-up waits for one who writes
/// or trims.
final class DiskCounters: Sendable {
  private let hits = Atomic(0)
  private let misses = Atomic(0)
  private let damaged = Atomic(0)
  private let expired = Atomic(0)
  private let evictions = Atomic(0)
  private let failures = Mutex<(count: Int, last: CacheError?)>((0, nil))

  func hit() { hits.add(1, ordering: .relaxed) }
  func miss() { misses.add(1, ordering: .relaxed) }
  func foundDamaged() { damaged.add(1, ordering: .relaxed) }
  func foundExpired() { expired.add(1, ordering: .relaxed) }
  func evicted(_ count: Int) { evictions.add(count, ordering: .relaxed) }

  func failed(_ error: CacheError) {
    failures.withLock { $0 = ($0.count + 1, error) }
  }

  /// The counts, sizes not among them.
  var statistics: DiskCache.Statistics {
    var statistics = DiskCache.Statistics()
    statistics.hits = hits.load(ordering: .relaxed)
    statistics.misses = misses.load(ordering: .relaxed)
    statistics.damaged = damaged.load(ordering: .relaxed)
    statistics.expired = expired.load(ordering: .relaxed)
    statistics.evictions = evictions.load(ordering: .relaxed)
    (statistics.failures, statistics.lastFailure) = failures.withLock { $0 }
    return statistics
  }
}
