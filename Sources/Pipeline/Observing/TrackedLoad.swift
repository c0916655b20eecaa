import Flow
import Synchronization

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Enters the load of `request` into a book from its subscription to its end.
  ///
  /// Passes all events on. Fails with `.download(.shutDown)` when the book takes no more loads, or
  /// is told to end those that run.
  func tracked(_ request: ImageRequest, in ledger: LoadLedger) -> some Publisher<
    LoadEvent, LoadError
  > {
    TrackedLoad(
      upstream: prefix(untilOutputFrom: ledger.stop),
      request: request, ledger: ledger)
  }
}

private struct TrackedLoad<Upstream: Publisher>: Publisher
where Upstream.Output == LoadEvent, Upstream.Failure == LoadError {
  typealias Output = LoadEvent
  typealias Failure = LoadError

  let upstream: Upstream
  let request: ImageRequest
  let ledger: LoadLedger

  func receive<S: Subscriber>(subscriber: S)
  where S.Input == LoadEvent, S.Failure == LoadError {
    guard let id = ledger.begin(request) else {
      return AnyPublisher.failure(.download(.shutDown, source: request.sourceName))
        .receive(subscriber: subscriber)
    }
    upstream.receive(
      subscriber: TrackedSubscriber(
        downstream: subscriber, entry: LedgerEntry(id: id, request: request, ledger: ledger)))
  }
}

/// One load's line in the book.
private final class LedgerEntry: Sendable {
  private struct Result {
    var outcome: LoadRecord.Outcome
    var metrics = LoadMetrics()
    var transfer: TransferMetrics?
  }

  private let id: LoadID
  private let request: ImageRequest
  private let ledger: LoadLedger
  private let began = ContinuousClock.now
  private let result = Mutex<Result?>(nil)

  init(id: LoadID, request: ImageRequest, ledger: LoadLedger) {
    self.id = id
    self.request = request
    self.ledger = ledger
  }

  func note(_ event: LoadEvent) {
    switch event {
    case .progress(let progress): ledger.progressed(id, request, progress)
    case .image(let loaded):
      let new = Result(
        outcome: .image(loaded.origin, loaded.image.size), metrics: loaded.metrics,
        transfer: loaded.encoded?.metrics)
      result.withLock { $0 = new }
    case .encoded(let encoded, let request) where encoded.isComplete:
      let new = Result(
        outcome: .bytes(encoded.origin), metrics: request.timeline, transfer: encoded.metrics)
      result.withLock { $0 = new }
    case .request, .preview, .encoded: break
    }
  }

  /// The end; with what the load came to, if it came to anything.
  func end(_ failure: LoadRecord.Outcome) {
    let result = result.withLock { $0 } ?? Result(outcome: failure)
    let report = LoadRecord(
      id: id, source: request.sourceName, priority: request.priority, began: began, ended: .now,
      outcome: result.outcome, metrics: result.metrics, transfer: result.transfer)
    ledger.end(report, request)
  }

  /// What an end without failure means: without an image the book was told to end all loads.
  func verdict() -> LoadError? {
    guard ledger.isEnding, result.withLock({ $0 == nil }) else { return nil }
    return .download(.shutDown, source: request.sourceName)
  }
}

private struct TrackedSubscriber<Downstream: Subscriber>: Subscriber
where Downstream.Input == LoadEvent, Downstream.Failure == LoadError {
  let downstream: Downstream
  let entry: LedgerEntry

  func receive(subscription: any Subscription) {
    downstream.receive(subscription: TrackedSubscription(entry: entry, upstream: subscription))
  }

  func receive(_ event: LoadEvent) -> Subscribers.Demand {
    entry.note(event)
    return downstream.receive(event)
  }

  func receive(completion: Subscribers.Completion<LoadError>) {
    var completion = completion
    if case .finished = completion, let error = entry.verdict() { completion = .failure(error) }
    switch completion {
    case .finished: entry.end(.cancelled)
    case .failure(let error): entry.end(.failed(error))
    }
    downstream.receive(completion: completion)
  }
}

private final class TrackedSubscription: Subscription {
  private let entry: LedgerEntry
  private let upstream: any Subscription

  init(entry: LedgerEntry, upstream: any Subscription) {
    self.entry = entry
    self.upstream = upstream
  }

  func request(_ demand: Subscribers.Demand) { upstream.request(demand) }

  func cancel() {
    upstream.cancel()
    entry.end(.cancelled)
  }
}
