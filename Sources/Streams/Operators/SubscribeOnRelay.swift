import Synchronization

/// The subscription that exists before the source has been subscribed on its scheduler.
@usableFromInline
final class SubscribeOnRelay: Subscription {
  struct State: Sendable {
    var owed = Subscribers.Demand.none
    var source: (any Subscription)?
  }

  private let over = Atomic<Bool>(false)
  private let state = Mutex(State())
  private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

  @usableFromInline
  init(schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.schedule = schedule
  }

  @usableFromInline var isOver: Bool { over.load(ordering: .relaxed) }

  @usableFromInline
  func use(_ source: any Subscription) {
    let owed = state.withLock { state -> Subscribers.Demand? in
      if over.load(ordering: .relaxed) { return nil }
      state.source = source
      let owed = state.owed
      state.owed = .none
      return owed
    }
    guard let owed else { return source.cancel() }
    if owed > .none { source.request(owed) }
  }

  @usableFromInline
  func end() -> Bool {
    guard !over.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    let dropped = state.withLock { $0.source.take() }
    _ = dropped
    return true
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let source = state.withLock { state in
      if state.source == nil { state.owed += demand }
      return state.source
    }
    if let source { schedule { source.request(demand) } }
  }

  @usableFromInline
  func cancel() {
    over.store(true, ordering: .releasing)
    state.withLock { $0.source.take() }?.cancel()
  }
}

extension SubscribeOnRelay: CustomStringConvertible {
  @usableFromInline var description: String { "SubscribeOn" }
}

@usableFromInline
struct SubscribeOnSubscriber<Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let relay: SubscribeOnRelay

  @inlinable @inline(__always)
  init(downstream: Downstream, relay: SubscribeOnRelay) {
    self.downstream = downstream
    self.relay = relay
  }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) { relay.use(subscription) }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    relay.isOver ? .none : downstream.receive(input)
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    if relay.end() { downstream.receive(completion: completion) }
  }
}

extension SubscribeOnSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "SubscribeOn" }
}
