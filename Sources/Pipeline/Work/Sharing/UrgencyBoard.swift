import Synchronization

/// How urgent each piece of shared work is: as the most urgent of those who wait for it, from
/// moment to moment.
final class UrgencyBoard<Key: Hashable & Sendable>: Sendable {
  private let entries = Mutex<[Key: UrgencyEntry]>([:])

  /// The keys that somebody takes part in.
  var keys: [Key] { entries.withLock { Array($0.keys) } }

  /// Takes part in the work of `key` until the vote is withdrawn or released.
  ///
  /// - Parameter priority: How urgent it is to the voter; `nil` has no say in it.
  func join(_ key: Key, _ priority: LoadPriority?) -> UrgencyVote {
    while true {
      let entry = entries.withLock { entries in
        if let entry = entries[key] { return entry }
        let entry = UrgencyEntry(priority ?? .normal)
        entries[key] = entry
        return entry
      }
      if entry.add(priority) {
        return UrgencyVote(priority, in: entry) { [self] in remove(entry, key) }
      }
      // It closed between being found and being joined.
      remove(entry, key)
    }
  }

  private func remove(_ entry: UrgencyEntry, _ key: Key) {
    entries.withLock { entries in
      if entries[key] === entry { entries[key] = nil }
    }
  }
}
