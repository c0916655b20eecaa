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
    TrackedLoad(upstream: self, request: request, ledger: ledger)
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
    guard let run = ledger.begin(request, for: AnySubscriber(subscriber)) else {
      return AnyPublisher.failure(.download(.shutDown, source: request.sourceName))
        .receive(subscriber: subscriber)
    }
    upstream.receive(subscriber: run)
  }
}

/// One load's line in the book: hears all that passes, and can be ended from outside.
final class TrackedRun: Subscriber, Subscription {
  typealias Input = LoadEvent
  typealias Failure = LoadError

  private struct State {
    var downstream: AnySubscriber<LoadEvent, LoadError>?
    var upstream: (any Subscription)?
    /// What is delivered now has to be heard out before the end.
    var isDelivering = false
    var isStopped = false
    var result: Result?
  }

  private struct Result {
    var outcome: LoadRecord.Outcome
    var metrics = LoadMetrics()
    var transfer: TransferMetrics?
  }

  let id: LoadID
  private let request: ImageRequest
  private let ledger: LoadLedger
  private let began = ContinuousClock.now
  private let state: Mutex<State>

  init(
    _ id: LoadID, _ request: ImageRequest, for downstream: AnySubscriber<LoadEvent, LoadError>,
    in ledger: LoadLedger
  ) {
    self.id = id
    self.request = request
    self.ledger = ledger
    state = Mutex(State(downstream: downstream))
  }

  func receive(subscription: any Subscription) {
    let (downstream, isStopped) = state.withLock { state in
      if !state.isStopped { state.upstream = subscription }
      // The subscription is delivered as events are: a stop waits for it.
      state.isDelivering = true
      return (state.downstream, state.isStopped)
    }
    if isStopped { subscription.cancel() }
    downstream?.receive(subscription: self)
    endIfStopped()
  }

  func receive(_ event: LoadEvent) -> Subscribers.Demand {
    let news = result(of: event)
    let downstream = state.withLock { state in
      if let news { state.result = news }
      guard !state.isStopped else { return nil as AnySubscriber<LoadEvent, LoadError>? }
      state.isDelivering = true
      return state.downstream
    }
    guard let downstream else { return .none }
    if case .progress(let progress) = event { ledger.progressed(id, request, progress) }
    let more = downstream.receive(event)
    return endIfStopped() ? .none : more
  }

  func receive(completion: Subscribers.Completion<LoadError>) { end(completion) }

  /// Ends the load, at once or behind what is being delivered.
  func stop() {
    let (upstream, isMine) = state.withLock { state in
      state.isStopped = true
      // Before its subscription nobody can be told.
      return (state.upstream.take(), !state.isDelivering && state.downstream != nil)
    }
    guard let upstream else { return }
    upstream.cancel()
    if isMine { endStopped() }
  }

  func request(_ demand: Subscribers.Demand) { state.withLock { $0.upstream }?.request(demand) }

  func cancel() {
    let (downstream, upstream) = state.withLock { state in
      (state.downstream.take(), state.upstream.take())
    }
    upstream?.cancel()
    if downstream != nil { report(.cancelled) }
  }

  /// After a delivery: whether the load was stopped meanwhile, in which case it ends now.
  @discardableResult
  private func endIfStopped() -> Bool {
    let isStopped = state.withLock { state in
      state.isDelivering = false
      return state.isStopped
    }
    if isStopped { endStopped() }
    return isStopped
  }

  /// Who has his image hears the end, others why there is none.
  private func endStopped() {
    let hasResult = state.withLock { $0.result != nil }
    end(
      hasResult
        ? .finished : .failure(.download(.shutDown, source: request.sourceName)))
  }

  private func end(_ completion: Subscribers.Completion<LoadError>) {
    let downstream = state.withLock { state in
      state.upstream = nil
      return state.downstream.take()
    }
    guard let downstream else { return }
    switch completion {
    case .finished: report(.cancelled)
    case .failure(let error): report(.failed(error))
    }
    downstream.receive(completion: completion)
  }

  private func result(of event: LoadEvent) -> Result? {
    switch event {
    case .image(let loaded):
      Result(
        outcome: .image(loaded.origin, loaded.image.size), metrics: loaded.metrics,
        transfer: loaded.encoded?.metrics)
    case .encoded(let encoded, let request) where encoded.isComplete:
      Result(outcome: .bytes(encoded.origin), metrics: request.timeline, transfer: encoded.metrics)
    case .request, .progress, .preview, .encoded: nil
    }
  }

  /// Tells the book of the end: with what the load came to, if it came to anything.
  private func report(_ failure: LoadRecord.Outcome) {
    let result = state.withLock { $0.result } ?? Result(outcome: failure)
    ledger.end(
      LoadRecord(
        id: id, source: request.sourceName, priority: request.priority, began: began, ended: .now,
        outcome: result.outcome, metrics: result.metrics, transfer: result.transfer),
      request)
  }
}

extension TrackedRun: CustomStringConvertible {
  var description: String { "Load" }
}
