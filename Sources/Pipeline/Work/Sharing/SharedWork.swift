import Flow

/// Work that runs, by key: where all who want the same meet.
///
/// They hear one stream, and it is as urgent as the most urgent of them, also when they come and go
/// or change their minds. Who joins late or is slow hears the latest event of each kind.
final class SharedWork<Key: Hashable & Sendable, Event: Sendable, Failure: Error>: Sendable {
  private let streams = SharedPublishers<Key, LatestEvents<Event>, Failure>(replay: .latest)
  private let urgencies = UrgencyBoard<Key>()
  private let kind: @Sendable (Event) -> Int

  /// Makes a place without work.
  ///
  /// - Parameter kind: Events of one kind outdate each other.
  init(kind: @escaping @Sendable (Event) -> Int) { self.kind = kind }

  /// The keys whose work is running, and those whose work somebody waits for.
  var keys: (running: [Key], wanted: [Key]) { (streams.keys, urgencies.keys) }

  /// The work of `key`, begun by the first who subscribes and stopped by the last who leaves.
  ///
  /// Subscribe once: the subscriber has its say in the urgency from now on.
  /// - Parameters:
  ///   - urgency: How urgent it is to this subscriber.
  ///   - make: Makes the work, which follows the urgency of all who wait for it.
  func publisher<Work: Publisher>(
    for key: Key, urgency: Urgency,
    _ make: @escaping @Sendable (AnyPublisher<LoadPriority, Never>) -> Work
  ) -> some Publisher<Event, Failure> where Work.Output == Event, Work.Failure == Failure {
    let vote = urgencies.join(key, urgency.now)
    if let later = urgency.later { vote.follow(later) }
    let stream = streams.publisher(for: key) { [urgencies, kind] in
      // Stays on the board for as long as the work runs, so that all who join it are heard.
      let place = urgencies.join(key, nil)
      return make(place.urgency)
        .handleEvents(
          receiveCompletion: { _ in place.withdraw() }, receiveCancel: { place.withdraw() }
        )
        .scan(LatestEvents()) { $0.adding($1, kind: kind($1)) }
    }
    return SharedWorkPublisher(vote: vote) { stream.receive(subscriber: $0) }
  }
}

/// How urgent something is to somebody.
struct Urgency: Sendable {
  /// At first.
  let now: LoadPriority
  /// From then on; `nil` when it stays so.
  let later: AnyPublisher<LoadPriority, Never>?
}
