import Synchronization

/// The rules of one operator with several sources: pure, knows no lock and calls nobody.
@usableFromInline
protocol DeliveryMachine: Sendable {
  associatedtype Value: Sendable
  associatedtype Failure: Error
  /// Called when `more` was asked for; the outbox counts it already.
  mutating func demandRose(by more: Subscribers.Demand, _ outbox: inout Outbox<Value, Failure>)
  /// Called once, at the end or when cancelled: hands over what is to be cancelled.
  mutating func stop(_ outbox: inout Outbox<Value, Failure>)
}

/// One lock, one drainer: what any number of threads feed is delivered one signal at a time.
///
/// `update` changes the machine under the lock; whoever finds nobody delivering then delivers for
/// all. Nothing is called while the lock is held.
// SAFETY: `downstream` is used and dropped by one thread at a time: by the one that set the
// outbox's `isDelivering`, or the one told to release.
@usableFromInline
final class SerialDelivery<Machine: DeliveryMachine, Downstream: Subscriber>: @unchecked Sendable
where Machine.Value == Downstream.Input, Machine.Failure == Downstream.Failure {
  @usableFromInline typealias Box = Outbox<Downstream.Input, Downstream.Failure>

  @usableFromInline
  struct State: Sendable {
    @usableFromInline var machine: Machine
    @usableFromInline var outbox = Box()

    @inlinable
    init(machine: Machine) { self.machine = machine }
  }

  @usableFromInline let state: Mutex<State>
  @exclusivity(unchecked) @usableFromInline var downstream: DownstreamBox<Downstream>?

  @inlinable
  init(_ machine: Machine, _ downstream: Downstream) {
    state = Mutex(State(machine: machine))
    self.downstream = DownstreamBox(downstream)
  }

  /// Hands the downstream its subscription, and from then on delivers.
  @inlinable @inline(__always)
  func open(_ name: StaticString) {
    guard let box = downstream else { return }
    box.downstream.receive(
      subscription: ClosureSubscription(
        name, request: { self.request($0) }, cancel: { self.cancel() }))
    deliver(state.withLock { $0.outbox.next() })
  }

  /// Whether it was cancelled or is to end.
  @inlinable
  var isOver: Bool { state.withLock { $0.outbox.isOver || $0.outbox.end != nil } }

  /// Changes the machine, unless all is over, and delivers what comes of it.
  @inlinable @inline(__always)
  @discardableResult
  func update(_ body: (inout Machine, inout Box) -> Void) -> Bool {
    let (signal, cancels, wasOpen) = state.withLock { state in
      if state.outbox.isOver || state.outbox.end != nil {
        return (Box.Signal.nothing, nil as [any Cancellable]?, false)
      }
      body(&state.machine, &state.outbox)
      if state.outbox.end != nil { state.machine.stop(&state.outbox) }
      return (state.outbox.begin(), state.outbox.cancels.take(), true)
    }
    if let cancels { Self.cancel(cancels) }
    if case .nothing = signal { return wasOpen }
    deliver(signal)
    return wasOpen
  }

  @inlinable
  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let signal = state.withLock { state in
      // Said again and again, "all of it" would go down a tall stack once for each floor.
      if state.outbox.isOver || state.outbox.demand.isUnlimited { return Box.Signal.nothing }
      state.outbox.demand += demand
      if state.outbox.end == nil { state.machine.demandRose(by: demand, &state.outbox) }
      return state.outbox.begin()
    }
    if case .nothing = signal { return }
    deliver(signal)
  }

  @inlinable
  func cancel() {
    let (cancels, dropped, released) = state.withLock {
      state -> ([any Cancellable]?, Box?, DownstreamBox<Downstream>?) in
      if state.outbox.isOver { return (nil, nil, nil) }
      if state.outbox.end == nil { state.machine.stop(&state.outbox) }
      let dropped = state.outbox
      let cancels = state.outbox.cancels
      state.outbox = Box()
      state.outbox.isOver = true
      state.outbox.isDelivering = dropped.isDelivering
      return (cancels, dropped, dropped.isDelivering ? nil : downstream.take())
    }
    if let cancels { Self.cancel(cancels) }
    _ = (dropped, released)
  }

  @usableFromInline
  static func cancel(_ all: [any Cancellable]) {
    Trampoline.run { for subscription in all { subscription.cancel() } }
  }

  @inlinable
  func deliver(_ signal: Box.Signal) {
    if Trampoline.enter() {
      deliverNow(signal)
      Trampoline.leave()
    } else {
      Trampoline.postpone { self.deliverNow(signal) }
    }
  }

  @inlinable
  func deliverNow(_ first: Box.Signal) {
    var signal = first
    while true {
      switch signal {
      case .value(let value):
        guard let box = downstream else { return }
        let more = box.downstream.receive(value)
        signal = state.withLock { state in
          if more > .none, !state.outbox.isOver, !state.outbox.demand.isUnlimited {
            state.outbox.demand += more
            if state.outbox.end == nil { state.machine.demandRose(by: more, &state.outbox) }
          }
          return state.outbox.next()
        }
      case .end(let completion):
        downstream.take()?.downstream.receive(completion: completion)
        return
      case .effects(let effects):
        effects.perform()
        signal = state.withLock { $0.outbox.begin() }
      case .release:
        downstream = nil
        return
      case .nothing:
        return
      }
    }
  }
}
