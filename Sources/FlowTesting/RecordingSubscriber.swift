import Flow
import Synchronization

/// A subscriber that writes down all it hears, in order, and asks for what its script says.
///
/// It hears from any thread, and never stops by itself: it also records what a lawful publisher
/// would not have sent, such as a second completion.
///
/// ```swift
/// let recorder = (1...5).publisher.recording(demand: .max(2))
/// recorder.values  // [1, 2]
/// recorder.request(.unlimited)
/// recorder.isFinished  // true
/// ```
public final class RecordingSubscriber<Input: Sendable, Failure: Error>: Subscriber, Cancellable {
  /// What it writes down.
  public typealias Signal = RecordedSignal<Input, Failure>

  private struct State: Sendable {
    var timeline: [TimedSignal<Input, Failure>] = []
    var subscription: (any Subscription)?
    var received = 0
  }

  private let script: DemandScript
  private let scheduler: VirtualScheduler?
  private let state = Mutex(State())

  /// A recorder that asks as `demand` says, and takes the time of each signal from `scheduler`.
  public init(demand: DemandScript = .unlimited, scheduler: VirtualScheduler? = nil) {
    script = demand
    self.scheduler = scheduler
  }

  /// Records the subscription and asks for the script's first demand.
  ///
  /// Only the first subscription is asked, and used by `request` and `cancel`; a further one is
  /// recorded and cancelled.
  public func receive(subscription: any Subscription) {
    let time = scheduler?.now ?? VirtualTime()
    let isFirst = state.withLock { state in
      let name = String(describing: subscription)
      state.timeline.append(TimedSignal(time: time, signal: .subscription(name)))
      if state.subscription != nil { return false }
      state.subscription = subscription
      return true
    }
    guard isFirst else { return subscription.cancel() }
    if script.initial > .none { subscription.request(script.initial) }
  }

  /// Records the value and replies as the script says.
  public func receive(_ input: Input) -> Subscribers.Demand {
    let time = scheduler?.now ?? VirtualTime()
    let index = state.withLock { state in
      state.timeline.append(TimedSignal(time: time, signal: .value(input)))
      state.received += 1
      return state.received - 1
    }
    return script.reply(index)
  }

  /// Records the end.
  public func receive(completion: Subscribers.Completion<Failure>) {
    let time = scheduler?.now ?? VirtualTime()
    state.withLock {
      $0.timeline.append(TimedSignal(time: time, signal: .completion(completion)))
    }
  }

  /// Asks the publisher for `demand` more values. Does nothing before it is subscribed.
  public func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.subscription }?.request(demand)
  }

  /// Cancels the stream. Does nothing before it is subscribed.
  public func cancel() { state.withLock { $0.subscription }?.cancel() }

  /// All signals heard so far with their times, the oldest first.
  public var timeline: [TimedSignal<Input, Failure>] { state.withLock { $0.timeline } }

  /// All signals heard so far, the oldest first.
  public var history: [Signal] { timeline.map(\.signal) }

  /// The values among them.
  public var values: [Input] {
    history.compactMap { if case .value(let value) = $0 { value } else { nil } }
  }

  /// The endings among them: at most one, if the publisher keeps the rules.
  public var completions: [Subscribers.Completion<Failure>] {
    history.compactMap { if case .completion(let end) = $0 { end } else { nil } }
  }

  /// How many subscriptions arrived: one, if the publisher keeps the rules.
  public var subscriptionCount: Int {
    history.count { if case .subscription = $0 { true } else { false } }
  }

  /// Whether the stream ended well, once.
  public var isFinished: Bool {
    let ends = completions
    if ends.count == 1, case .finished = ends[0] { return true }
    return false
  }

  /// The error of the first ending; nil when there was none or it was a good one.
  public var failure: Failure? {
    if case .failure(let error) = completions.first { error } else { nil }
  }
}

extension RecordingSubscriber: CustomStringConvertible {
  /// The name of the type.
  public var description: String { "RecordingSubscriber" }
}

extension Publisher {
  /// Attaches a recorder that asks as `demand` says.
  ///
  /// - Parameters:
  ///   - demand: What it asks for; everything unless given.
  ///   - scheduler: Gives each signal its time.
  /// - Returns: The recorder, which can ask for more and cancel. The stream keeps it alive, it does
  ///   not keep the stream: release of the recorder cancels nothing.
  public func recording(
    demand: DemandScript = .unlimited, scheduler: VirtualScheduler? = nil
  ) -> RecordingSubscriber<Output, Failure> {
    let recorder = RecordingSubscriber<Output, Failure>(demand: demand, scheduler: scheduler)
    subscribe(recorder)
    return recorder
  }
}
