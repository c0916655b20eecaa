import Flow
import Synchronization

/// What a stage makes of an event.
enum StageAnswer: Sendable {
  /// This event takes its place.
  case event(LoadEvent)
  /// Nothing does.
  case nothing
  /// The chain fails.
  case failure(LoadError)
  /// Events that come by and by do, and the next event waits until they have ended.
  case events(AnyPublisher<LoadEvent, LoadError>)

  /// The same as a stream.
  var publisher: AnyPublisher<LoadEvent, LoadError> {
    switch self {
    case .event(let event): .event(event)
    case .nothing: .nothing
    case .failure(let error): .failure(error)
    case .events(let events): events
    }
  }
}

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Puts what `answer` says in the place of each event, one after the other.
  ///
  /// What passes each event is generic over neither the chain before nor the one behind: a chain put
  /// together in another module would look its types up at run time, for every event.
  func answering(
    _ subscriber: some Subscriber<LoadEvent, LoadError>,
    _ answer: @escaping @Sendable (LoadEvent) -> StageAnswer
  ) {
    receive(subscriber: StageRun(answer, for: AnySubscriber(subscriber)))
  }

  /// Lets `answer` take the place of requests, and passes all other events on.
  func answeringRequests(
    _ subscriber: some Subscriber<LoadEvent, LoadError>,
    _ answer: @escaping @Sendable (ImageRequest) -> StageAnswer
  ) {
    answering(subscriber, onlyRequests(answer))
  }

  /// A stage that answers events in this way.
  func eventsAnswered(
    _ answer: @escaping @Sendable (LoadEvent) -> StageAnswer
  ) -> Stage<Self> { Stage(upstream: self, answer: answer) }

  /// A stage that answers requests in this way, and passes all other events on.
  func requestsAnswered(
    _ answer: @escaping @Sendable (ImageRequest) -> StageAnswer
  ) -> AnyPublisher<LoadEvent, LoadError> {
    eventsAnswered(onlyRequests(answer)).eraseToAnyPublisher()
  }
}

private func onlyRequests(
  _ answer: @escaping @Sendable (ImageRequest) -> StageAnswer
) -> @Sendable (LoadEvent) -> StageAnswer {
  { event in
    guard case .request(let request) = event else { return .event(event) }
    return answer(request)
  }
}

/// A stage without a name of its own.
struct Stage<Upstream: Publisher>: Publisher
where Upstream.Output == LoadEvent, Upstream.Failure == LoadError {
  typealias Output = LoadEvent
  typealias Failure = LoadError

  let upstream: Upstream
  let answer: @Sendable (LoadEvent) -> StageAnswer

  func receive<S: Subscriber>(subscriber: S)
  where S.Input == LoadEvent, S.Failure == LoadError {
    upstream.answering(subscriber, answer)
  }
}

/// One subscription to a stage: asks for one event at a time, and lets its answer be heard out
/// before the next.
///
/// So only one thread at a time has something to deliver: the source's, or that of the answer which
/// runs. What is late is the source's end, which is kept until the answer has ended.
private final class StageRun: Subscriber, Subscription {
  typealias Input = LoadEvent
  typealias Failure = LoadError

  private struct State {
    var downstream: AnySubscriber<LoadEvent, LoadError>?
    var source: (any Subscription)?
    /// What the answer that runs is asked through; it may be running without.
    var answer: (any Subscription)?
    var isAnswering = false
    /// Events asked for and not delivered yet.
    var demand = Subscribers.Demand.none
    /// Whether the source owes an event.
    var sourceIsAsked = false
    var sourceEnd: Subscribers.Completion<LoadError>?
  }

  private let state: Mutex<State>
  private let answer: @Sendable (LoadEvent) -> StageAnswer

  init(
    _ answer: @escaping @Sendable (LoadEvent) -> StageAnswer,
    for downstream: AnySubscriber<LoadEvent, LoadError>
  ) {
    self.answer = answer
    state = Mutex(State(downstream: downstream))
  }

  // MARK: The source

  func receive(subscription: any Subscription) {
    let downstream = state.withLock { state in
      state.source = subscription
      return state.downstream
    }
    downstream?.receive(subscription: self)
  }

  func receive(_ event: LoadEvent) -> Subscribers.Demand {
    state.withLock { $0.sourceIsAsked = false }
    switch answer(event) {
    case .event(let event): deliver(event)
    case .nothing: break
    case .failure(let error):
      end(.failure(error))
      return .none
    case .events(let events):
      let isWanted = state.withLock { state in
        state.isAnswering = true
        return state.downstream != nil
      }
      guard isWanted else { return .none }
      events.receive(subscriber: StageAnswerSubscriber(run: self))
      return .none
    }
    return askForNext() ? .max(1) : .none
  }

  func receive(completion: Subscribers.Completion<LoadError>) {
    let isLast = state.withLock { state in
      state.source = nil
      state.sourceEnd = completion
      return !state.isAnswering
    }
    if isLast { end(completion) }
  }

  /// Whether the source is to be asked for an event; notes that it is.
  private func askForNext() -> Bool {
    state.withLock { state in
      guard state.demand > .none, !state.isAnswering, !state.sourceIsAsked, state.sourceEnd == nil,
        state.downstream != nil
      else { return false }
      state.sourceIsAsked = true
      return true
    }
  }

  // MARK: The answer that runs

  fileprivate func answerBegan(_ subscription: any Subscription) {
    let demand = state.withLock { state -> Subscribers.Demand? in
      guard state.downstream != nil, state.isAnswering else { return nil }
      state.answer = subscription
      return state.demand
    }
    guard let demand else { return subscription.cancel() }
    if demand > .none { subscription.request(demand) }
  }

  @discardableResult
  fileprivate func deliver(_ event: LoadEvent) -> Subscribers.Demand {
    let downstream = state.withLock { state in
      if state.demand.max != nil, state.demand > .none { state.demand -= 1 }
      return state.downstream
    }
    guard let downstream else { return .none }
    let more = downstream.receive(event)
    if more > .none { state.withLock { $0.demand += more } }
    return more
  }

  fileprivate func answerEnded(_ completion: Subscribers.Completion<LoadError>) {
    if case .failure = completion { return end(completion) }
    let (last, asks) = state.withLock { state in
      state.answer = nil
      state.isAnswering = false
      return (state.sourceEnd, state.source)
    }
    if let last { return end(last) }
    if askForNext() { asks?.request(.max(1)) }
  }

  private func end(_ completion: Subscribers.Completion<LoadError>) {
    let (downstream, source, answer) = state.withLock { state in
      (state.downstream.take(), state.source.take(), state.answer.take())
    }
    source?.cancel()
    answer?.cancel()
    downstream?.receive(completion: completion)
  }

  // MARK: The subscriber

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let (answer, source) = state.withLock { state in
      state.demand += demand
      return (state.answer, state.source)
    }
    if let answer { return answer.request(demand) }
    if askForNext() { source?.request(.max(1)) }
  }

  func cancel() {
    let (downstream, source, answer) = state.withLock { state in
      (state.downstream.take(), state.source.take(), state.answer.take())
    }
    source?.cancel()
    answer?.cancel()
    withExtendedLifetime(downstream) {}
  }
}

extension StageRun: CustomStringConvertible {
  var description: String { "Stage" }
}

/// Hands what an answer sends to the run it belongs to.
private struct StageAnswerSubscriber: Subscriber {
  let run: StageRun

  func receive(subscription: any Subscription) { run.answerBegan(subscription) }
  func receive(_ event: LoadEvent) -> Subscribers.Demand { run.deliver(event) }
  func receive(completion: Subscribers.Completion<LoadError>) { run.answerEnded(completion) }
}
