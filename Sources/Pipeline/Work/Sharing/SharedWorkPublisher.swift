import Flow
import Synchronization

/// One subscriber's view of shared work. For one subscription.
struct SharedWorkPublisher<Event: Sendable, Failure: Error>: Publisher {
  typealias Output = Event

  let vote: UrgencyVote
  let join: @Sendable (SharedWorkSubscription<Event, Failure>) -> Void

  func receive<S: Subscriber>(subscriber: S) where S.Input == Event, S.Failure == Failure {
    let subscription = SharedWorkSubscription<Event, Failure>(
      downstream: AnySubscriber(subscriber), vote: vote)
    subscriber.receive(subscription: subscription)
    join(subscription)
  }
}

/// Takes all that the work says, hands on what its subscriber asks for, the latest of each kind,
/// and takes its subscriber's vote back at the end.
final class SharedWorkSubscription<Event: Sendable, Failure: Error>: Subscriber, Subscription {
  typealias Input = LatestEvents<Event>

  private struct State {
    var downstream: AnySubscriber<Event, Failure>?
    var upstream: (any Subscription)?
    var latest = LatestEvents<Event>()
    var told = 0
    var demand = Subscribers.Demand.none
    var completion: Subscribers.Completion<Failure>?
    var isDelivering = false
  }

  private enum Delivery {
    case event(Event)
    case completion(Subscribers.Completion<Failure>)
  }

  private let state: Mutex<State>
  private let vote: UrgencyVote

  init(downstream: AnySubscriber<Event, Failure>, vote: UrgencyVote) {
    state = Mutex(State(downstream: downstream))
    self.vote = vote
  }

  var takesEverything: Bool { true }

  // MARK: from the work

  func receive(subscription: any Subscription) {
    let isWanted = state.withLock { state in
      guard state.downstream != nil else { return false }
      state.upstream = subscription
      return true
    }
    if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
  }

  func receive(_ latest: LatestEvents<Event>) -> Subscribers.Demand {
    deliver { $0.latest = latest }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    vote.withdraw()
    deliver { $0.completion = completion }
  }

  // MARK: from the subscriber

  func request(_ demand: Subscribers.Demand) { deliver { $0.demand += demand } }

  func cancel() {
    let (downstream, upstream) = state.withLock { state in
      defer { (state.downstream, state.upstream) = (nil, nil) }
      return (state.downstream, state.upstream)
    }
    upstream?.cancel()
    vote.withdraw()
    withExtendedLifetime(downstream) {}
  }

  // MARK: delivering

  /// Notes what is new. Unless somebody is at it already, delivers all that is wanted.
  private func deliver(_ change: (inout State) -> Void) {
    var next = state.withLock { state in
      change(&state)
      if state.isDelivering { return nil as (AnySubscriber<Event, Failure>, Delivery)? }
      return Self.next(&state)
    }
    while let (downstream, delivery) = next {
      var more = Subscribers.Demand.none
      switch delivery {
      case .event(let event): more = downstream.receive(event)
      case .completion(let completion): downstream.receive(completion: completion)
      }
      next = state.withLock { state in
        state.demand += more
        return Self.next(&state)
      }
    }
  }

  private static func next(_ state: inout State) -> (AnySubscriber<Event, Failure>, Delivery)? {
    state.isDelivering = false
    guard let downstream = state.downstream else { return nil }
    if let (event, told) = state.latest.next(after: state.told) {
      guard state.demand > .none else { return nil }
      state.demand -= 1
      state.told = told
      state.isDelivering = true
      return (downstream, .event(event))
    }
    guard let completion = state.completion else { return nil }
    state.isDelivering = true
    (state.downstream, state.upstream) = (nil, nil)
    return (downstream, .completion(completion))
  }
}

extension SharedWorkSubscription: CustomStringConvertible {
  var description: String { "SharedWork" }
}
