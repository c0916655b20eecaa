import Synchronization

/// The one subscription that a downstream keeps while its source is replaced by another.
///
/// What the one source did not deliver is asked of the next. Only one source runs at a time, so
/// values pass without a lock once everything is wanted.
@usableFromInline
final class Relay: Subscription {
  struct State: Sendable {
    var owed = Subscribers.Demand.none
    var source: (any Subscription)?
  }

  @usableFromInline let name: StaticString
  /// Where its first source was subscribed; the next one is no lower.
  @usableFromInline let level = Trampoline.level
  @usableFromInline let takesAll = Atomic<Bool>(false)
  @usableFromInline let over = Atomic<Bool>(false)
  private let state = Mutex(State())

  @inlinable
  init(_ name: StaticString) { self.name = name }

  @inlinable @inline(__always)
  var isOver: Bool { over.load(ordering: .relaxed) }

  /// Makes `source` the current one and asks it for what is owed.
  @usableFromInline
  func use(_ source: any Subscription) {
    let owed = state.withLock { state -> Subscribers.Demand? in
      if over.load(ordering: .relaxed) { return nil }
      state.source = source
      return state.owed
    }
    guard let owed else { return source.cancel() }
    if owed > .none { source.request(owed) }
  }

  /// Lets go of a source that ended.
  @usableFromInline
  func forget() {
    let dropped = state.withLock { $0.source.take() }
    _ = dropped
  }

  /// Stops the source; the downstream stays.
  @usableFromInline
  func cancelSource() { state.withLock { $0.source.take() }?.cancel() }

  /// Accounts for a value delivered, in reply to which `more` were asked for.
  @inlinable @inline(__always)
  func delivered(_ more: Subscribers.Demand) {
    if !takesAll.load(ordering: .relaxed) { count(more) }
  }

  @usableFromInline
  func count(_ more: Subscribers.Demand) {
    state.withLock { state in
      state.owed -= 1
      state.owed += more
    }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let source = state.withLock { state -> (any Subscription)? in
      if state.owed.isUnlimited { return nil }
      state.owed += demand
      if state.owed.isUnlimited { takesAll.store(true, ordering: .relaxed) }
      return state.source
    }
    source?.request(demand)
  }

  @usableFromInline
  func cancel() {
    over.store(true, ordering: .releasing)
    state.withLock { $0.source.take() }?.cancel()
  }
}

extension Relay: CustomStringConvertible {
  @usableFromInline var description: String { "\(name)" }
}

/// Takes the values of a source that replaces another.
@usableFromInline
struct RelayTail<Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let relay: Relay

  @inlinable @inline(__always)
  init(downstream: Downstream, relay: Relay) {
    self.downstream = downstream
    self.relay = relay
  }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) { relay.use(subscription) }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if relay.isOver { return .none }
    let more = downstream.receive(input)
    relay.delivered(more)
    return more
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    if relay.isOver { return }
    relay.forget()
    downstream.receive(completion: completion)
  }
}

extension RelayTail: CustomStringConvertible {
  @usableFromInline var description: String { "\(relay.name)" }
}
