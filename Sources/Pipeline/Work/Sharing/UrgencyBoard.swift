import Flow
import Synchronization

/// How urgent each piece of shared work is: as the most urgent of those who wait for it, from
/// moment to moment.
final class UrgencyBoard<Key: Hashable & Sendable>: Sendable {
  private struct Entry {
    var ballot = UrgencyBallot()
    /// What has been told last.
    var told: LoadPriority
    /// Somebody is telling, and will tell what is newer, too.
    var isTelling = false
    let urgency: CurrentValueSubject<LoadPriority, Never>
  }

  private let entries = Mutex<[Key: Entry]>([:])

  /// The keys that somebody takes part in.
  var keys: [Key] { entries.withLock { Array($0.keys) } }

  /// Takes part in the work of `key` until the vote is withdrawn or released.
  ///
  /// - Parameter priority: How urgent it is to the voter; `nil` has no say in it.
  func join(_ key: Key, _ priority: LoadPriority?) -> UrgencyVote {
    let urgency = entries.withLock { entries in
      var entry = entries[key] ?? Self.entry(priority ?? .normal)
      entry.ballot.add(priority)
      entries[key] = entry
      return entry.urgency
    }
    tell(key, urgency)
    return UrgencyVote(priority, urgency.eraseToAnyPublisher()) { [self] old, new in
      change(key, urgency) { ballot in
        ballot.remove(old)
        if let new { ballot.add(new) }
      }
    }
  }

  private static func entry(_ priority: LoadPriority) -> Entry {
    Entry(told: priority, urgency: CurrentValueSubject(priority))
  }

  private func change(
    _ key: Key, _ urgency: CurrentValueSubject<LoadPriority, Never>,
    _ change: (inout UrgencyBallot) -> Void
  ) {
    let isEmpty = entries.withLock { entries in
      guard var entry = entries[key], entry.urgency === urgency else { return true }
      change(&entry.ballot)
      entries[key] = entry.ballot.isEmpty ? nil : entry
      return entry.ballot.isEmpty
    }
    if !isEmpty { tell(key, urgency) }
  }

  /// Tells what has changed; when somebody is at it already, they do.
  private func tell(_ key: Key, _ urgency: CurrentValueSubject<LoadPriority, Never>) {
    var isMine = false
    while let news = entries.withLock({ Self.news(&$0[key], urgency, &isMine) }) {
      urgency.send(news)
    }
  }

  private static func news(
    _ entry: inout Entry?, _ urgency: CurrentValueSubject<LoadPriority, Never>,
    _ isMine: inout Bool
  ) -> LoadPriority? {
    guard var current = entry, current.urgency === urgency, isMine || !current.isTelling else {
      return nil
    }
    let highest = current.ballot.highest ?? current.told
    isMine = highest != current.told
    current.isTelling = isMine
    current.told = highest
    entry = current
    return isMine ? highest : nil
  }
}
