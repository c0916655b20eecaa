/// The latest event of each kind: all that somebody has to be told who comes late or is slow.
struct LatestEvents<Event: Sendable>: Sendable {
  private struct Entry: Sendable {
    let number: Int
    let kind: Int
    let event: Event
  }

  /// Oldest first.
  private var entries: [Entry] = []
  /// How many events there have been.
  private(set) var count = 0

  /// Takes the place of the last event of its kind.
  func adding(_ event: Event, kind: Int) -> LatestEvents {
    var copy = LatestEvents()
    copy.count = count + 1
    copy.entries.reserveCapacity(entries.count + 1)
    for entry in entries where entry.kind != kind { copy.entries.append(entry) }
    copy.entries.append(Entry(number: copy.count, kind: kind, event: event))
    return copy
  }

  /// The oldest that came after the first `told`, and how many have been told with it.
  func next(after told: Int) -> (event: Event, told: Int)? {
    for entry in entries where entry.number > told { return (entry.event, entry.number) }
    return nil
  }
}
