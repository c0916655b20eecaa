/// Takes everything, keeps a running result, and sends one value at the end.
@usableFromInline
struct ReduceSubscriber<Input: Sendable, State: Sendable, Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let relay: Relay
  @usableFromInline let box: SerialBox<(state: State, isDone: Bool)>
  /// Takes a value in; returns false when the result is known.
  @usableFromInline let step: @Sendable (inout State, Input) -> Bool
  @usableFromInline let result: @Sendable (State) -> Downstream.Input?

  @inlinable @inline(__always)
  init(
    _ downstream: Downstream, name: StaticString, initial: State,
    step: @escaping @Sendable (inout State, Input) -> Bool,
    result: @escaping @Sendable (State) -> Downstream.Input?
  ) {
    self.downstream = downstream
    relay = Relay(name)
    box = SerialBox((initial, false))
    self.step = step
    self.result = result
  }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    downstream.receive(subscription: relay)
    relay.use(subscription)
    if !relay.isOver { subscription.request(.unlimited) }
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if box.value.isDone || relay.isOver { return .none }
    if !step(&box.value.state, input) {
      relay.cancelSource()
      finish()
    }
    return .none
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    if box.value.isDone || relay.isOver { return }
    relay.forget()
    switch completion {
    case .finished: finish()
    case .failure: downstream.receive(completion: completion)
    }
  }

  @inlinable
  func finish() {
    box.value.isDone = true
    if let result = result(box.value.state) {
      OneValueSubscription.attach(RelayTail(downstream: downstream, relay: relay), result)
    } else {
      downstream.receive(completion: .finished)
    }
  }
}

extension ReduceSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "\(relay.name)" }
}
