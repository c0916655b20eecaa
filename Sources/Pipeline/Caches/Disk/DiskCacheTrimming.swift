#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Keeping to the limits. Look-ups take no part in it and wait for nothing here.
extension DiskCache {
  /// How often entries that are too old are looked for while others are stored: hourly.
  private static let sweepInterval: Int64 = 3_600_000_000_000
  /// Removals made under one hold of the locks, so that stores in between wait little.
  private static let batch = 32

  /// Removes entries that are too old and, if the rest is over the limit, the least recently used
  /// down to the trimmed part of it. Takes time with the number of entries.
  public func trim() {
    // Who was used a moment ago is to stay.
    noting.sync {}
    guard let turn = try? OpenFile(folder.trimLock, O_RDWR | O_CREAT), turn.lock() else { return }
    var uses: [(time: Int64, size: Int)] = []
    var bytes = 0
    for bucket in 0..<CacheFolder.bucketCount {
      recount(bucket) { _, status in
        uses.append((status.modified, status.size))
        bytes += status.size
      }
    }
    // Best effort, as counting is.
    state.withLock { try? $0.totals?.sumUp() }
    let deadline = configuration.deadline ?? .min
    var excess = 0
    if bytes > configuration.maximumSize {
      let part = min(1, max(0, configuration.trimmedPart))
      excess = bytes - Int(Double(configuration.maximumSize) * part)
    }
    // The time of use up to which entries go, found on numbers alone.
    var cut = deadline
    uses.sort { $0.time < $1.time }
    var freed = 0
    for use in uses {
      guard freed < excess || use.time < deadline else { break }
      freed += use.size
      cut = use.time
    }
    if freed > 0 { removeEntries(usedUpTo: cut, deadline: deadline, bytes: max(freed, excess)) }
  }

  /// Starts trimming when it is time to; waits for it when the folder is over its limit, so that many
  /// writers can not run ahead of it.
  func keepToLimits() {
    let now = configuration.now()
    let limit = configuration.maximumSize
    let (starts, waits) = state.withLock { state -> (Bool, Bool) in
      let bytes = state.totals?.total.bytes ?? 0
      let isDue = bytes > limit || now - state.lastSweep > Self.sweepInterval
      let starts = isDue && !state.isTrimming
      if starts {
        state.isTrimming = true
        state.lastSweep = now
      }
      return (starts, bytes > limit)
    }
    if starts {
      housekeeping.async {
        self.trim()
        self.state.withLock { $0.isTrimming = false }
      }
    }
    if waits { flush() }
  }

  private func recount(_ bucket: Int, _ body: (String, stat) -> Void) {
    state.withLock { state in
      // Best effort: a bucket that can not be listed counts as empty this time.
      try? state.totals?.recount(bucket: bucket, body)
    }
  }

  private func removeEntries(usedUpTo cut: Int64, deadline: Int64, bytes: Int) {
    var left = bytes
    for bucket in 0..<CacheFolder.bucketCount where left > 0 {
      let path = folder.bucket(bucket)
      var old: [(name: String, size: Int)] = []
      try? forEachName(in: path) { name in
        // Looked at anew: what was used since the count stays.
        guard let status = fileStatus(path + "/" + name), status.modified <= cut else { return }
        old.append((name, status.size))
      }
      for start in stride(from: 0, to: old.count, by: Self.batch) {
        let some = old[start..<min(start + Self.batch, old.count)]
        removeFiles(some.map(\.name), in: bucket)
        left -= some.reduce(0) { $0 + $1.size }
        counters.evicted(some.count)
      }
    }
  }
}
