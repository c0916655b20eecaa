/// How far a prefetch has come. Its numbers never fall.
public struct PrefetchCounts: Sendable, Hashable {
  /// Sources taken from the list so far.
  public var taken = 0
  /// Those that are in the cache now, and were not before.
  public var finished = 0
  /// Those that were there already.
  public var skipped = 0
  /// Those that could not be had.
  public var failed = 0

  /// Nothing was done yet.
  public init() {}

  /// Those that are over, well or badly.
  public var done: Int { finished + skipped + failed }
}

/// What became of one source of a prefetch.
enum PrefetchOutcome: Sendable, Equatable {
  case finished, skipped, failed
}

extension PrefetchCounts {
  mutating func add(_ outcome: PrefetchOutcome) {
    switch outcome {
    case .finished: finished += 1
    case .skipped: skipped += 1
    case .failed: failed += 1
    }
  }
}
