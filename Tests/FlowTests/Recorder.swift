import Flow
import Synchronization

/// A subscriber that writes down all it hears, and asks for what the test says.
final class Recorder<Input: Sendable & Equatable, Failure: Error>: Subscriber, Cancellable {
  struct History: Sendable {
    var subscriptions = 0
    var values: [Input] = []
    var completions: [Subscribers.Completion<Failure>] = []
    var subscription: (any Subscription)?
  }

  let history = Mutex(History())
  let initial: Subscribers.Demand
  let reply: @Sendable (Input) -> Subscribers.Demand

  init(
    _ initial: Subscribers.Demand = .unlimited,
    reply: @escaping @Sendable (Input) -> Subscribers.Demand = { _ in .none }
  ) {
    self.initial = initial
    self.reply = reply
  }

  func receive(subscription: any Subscription) {
    history.withLock {
      $0.subscriptions += 1
      $0.subscription = subscription
    }
    subscription.request(initial)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    history.withLock { $0.values.append(input) }
    return reply(input)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    history.withLock { $0.completions.append(completion) }
  }

  func request(_ demand: Subscribers.Demand) {
    history.withLock { $0.subscription }?.request(demand)
  }

  func cancel() { history.withLock { $0.subscription }?.cancel() }

  var values: [Input] { history.withLock { $0.values } }
  var subscriptions: Int { history.withLock { $0.subscriptions } }
  var completions: Int { history.withLock { $0.completions.count } }
  var isFinished: Bool {
    history.withLock {
      if case .finished = $0.completions.first { $0.completions.count == 1 } else { false }
    }
  }
  var failure: Failure? {
    history.withLock {
      if case .failure(let error) = $0.completions.first { error } else { nil }
    }
  }
}

/// The error of these tests.
enum Trouble: Error, Equatable { case small, large }

extension Publisher where Output: Equatable {
  /// Attaches a recorder.
  func record(
    _ demand: Subscribers.Demand = .unlimited,
    reply: @escaping @Sendable (Output) -> Subscribers.Demand = { _ in .none }
  ) -> Recorder<Output, Failure> {
    let recorder = Recorder<Output, Failure>(demand, reply: reply)
    subscribe(recorder)
    return recorder
  }
}

/// An object whose death a test can see.
final class Witness: Sendable {}

/// Counts what several closures see.
final class Counter: Sendable {
  private let atomic = Atomic<Int>(0)
  func up(by amount: Int = 1) { atomic.add(amount, ordering: .relaxed) }
  var count: Int { atomic.load(ordering: .relaxed) }
}
