import Flow
import Synchronization

/// An upstream driven by hand that keeps the contract itself: it sends no more than was asked for,
/// and nothing after cancel or the end. It does not keep its subscriptions alive, and sees their
/// death.
final class Probe: Publisher {
  typealias Output = Int
  typealias Failure = Trouble

  struct State: Sendable {
    var lines: [WeakLine] = []
    var subscriptions = 0
    var end: Subscribers.Completion<Trouble>?
  }

  struct WeakLine: Sendable { weak var line: Line? }

  let state = Mutex(State())
  let cancels = Atomic<Int>(0)
  let alive = Atomic<Int>(0)

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Trouble {
    let line = Line(self, AnySubscriber(subscriber))
    state.withLock { state in
      state.subscriptions += 1
      state.lines.removeAll { $0.line == nil }
      state.lines.append(WeakLine(line: line))
    }
    subscriber.receive(subscription: line)
  }

  func send(_ value: Int) {
    for line in lines { line.send(value) }
  }

  func send(completion: Subscribers.Completion<Trouble>) {
    for line in lines { line.end(completion) }
  }

  private var lines: [Line] { state.withLock { $0.lines.compactMap(\.line) } }
  var subscriptions: Int { state.withLock { $0.subscriptions } }
  /// Whether somebody waits for a value.
  var isAsked: Bool { demand > .none }
  /// What the one subscriber has asked for and not received.
  var demand: Subscribers.Demand {
    lines.first?.state.withLock { $0.demand } ?? .none
  }
  var aliveCount: Int { alive.load(ordering: .relaxed) }
  var cancelCount: Int { cancels.load(ordering: .relaxed) }

  final class Line: Subscription {
    struct State: Sendable {
      var downstream: AnySubscriber<Int, Trouble>?
      var demand = Subscribers.Demand.none
    }

    let state: Mutex<State>
    let probe: Probe

    init(_ probe: Probe, _ downstream: AnySubscriber<Int, Trouble>) {
      self.probe = probe
      state = Mutex(State(downstream: downstream))
      probe.alive.add(1, ordering: .relaxed)
    }

    deinit { probe.alive.subtract(1, ordering: .relaxed) }

    func request(_ demand: Subscribers.Demand) { state.withLock { $0.demand += demand } }

    func cancel() {
      let dropped = state.withLock { $0.downstream.take() }
      if dropped != nil { probe.cancels.add(1, ordering: .relaxed) }
    }

    func send(_ value: Int) {
      let downstream = state.withLock { state -> AnySubscriber<Int, Trouble>? in
        guard state.demand > .none else { return nil }
        state.demand -= 1
        return state.downstream
      }
      guard let downstream else { return }
      let more = downstream.receive(value)
      state.withLock { $0.demand += more }
    }

    func end(_ completion: Subscribers.Completion<Trouble>) {
      state.withLock { $0.downstream.take() }?.receive(completion: completion)
    }
  }
}
