import Flow
import Synchronization

/// A subscriber that checks the contract of whoever talks to it, and notes each breach.
final class Referee: Subscriber {
  typealias Input = Int
  typealias Failure = Trouble

  enum Breach: Hashable, Sendable {
    case secondSubscription, beforeSubscription, beyondDemand, overlap, afterEnd, secondEnd
    case afterCancel
  }

  struct State: Sendable {
    var subscription: (any Subscription)?
    var subscriptions = 0
    var demanded = Subscribers.Demand.none
    var values: [Int] = []
    var received = 0
    var ends: [Subscribers.Completion<Trouble>] = []
    var isCancelled = false
    /// How many signals may still arrive after a cancel from another thread.
    var grace = 0
    var breaches: Set<Breach> = []
  }

  let state = Mutex(State())
  private let inside = Atomic<Int>(0)
  private let lowest = Atomic<UInt>(.max)
  private let highest = Atomic<UInt>(0)
  private let first = Atomic<UInt>(0)
  private let last = Atomic<UInt>(0)
  private let initial: Subscribers.Demand
  private let keepsValues: Bool
  /// Called with each value's number, outside the lock.
  private let reply: @Sendable (Referee, Int) -> Subscribers.Demand
  private let onSubscription: @Sendable (Referee) -> Void

  init(
    _ initial: Subscribers.Demand = .unlimited, keepsValues: Bool = true,
    reply: @escaping @Sendable (Referee, Int) -> Subscribers.Demand = { _, _ in .none },
    onSubscription: @escaping @Sendable (Referee) -> Void = { _ in }
  ) {
    self.initial = initial
    self.keepsValues = keepsValues
    self.onSubscription = onSubscription
    self.reply = reply
  }

  func receive(subscription: any Subscription) {
    enter()
    let isFirst = state.withLock { state in
      state.subscriptions += 1
      if state.subscriptions > 1 { state.breaches.insert(.secondSubscription) }
      if state.subscriptions == 1 { state.subscription = subscription }
      return state.subscriptions == 1
    }
    if isFirst {
      // A value may come from inside the request: that is a signal in reply, not beside this one.
      leave()
      onSubscription(self)
      if initial > .none { request(initial) }
    } else {
      leave()
      subscription.cancel()
    }
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    enter()
    defer { leave() }
    noteStack()
    let number = state.withLock { state in
      note(&state)
      if state.demanded.max.map({ state.received >= $0 }) ?? false {
        state.breaches.insert(.beyondDemand)
      }
      state.received += 1
      if keepsValues { state.values.append(input) }
      return state.received
    }
    let more = reply(self, number)
    if more > .none { state.withLock { $0.demanded += more } }
    return more
  }

  func receive(completion: Subscribers.Completion<Trouble>) {
    enter()
    defer { leave() }
    let dropped = state.withLock { state in
      if !state.ends.isEmpty { state.breaches.insert(.secondEnd) }
      note(&state)
      state.ends.append(completion)
      return state.subscription.take()
    }
    _ = dropped
  }

  private func note(_ state: inout State) {
    if state.subscriptions == 0 { state.breaches.insert(.beforeSubscription) }
    if !state.ends.isEmpty { state.breaches.insert(.afterEnd) }
    if state.isCancelled {
      if state.grace > 0 { state.grace -= 1 } else { state.breaches.insert(.afterCancel) }
    }
  }

  private func enter() {
    if inside.add(1, ordering: .relaxed).newValue != 1 {
      state.withLock { _ = $0.breaches.insert(.overlap) }
    }
  }

  private func leave() { inside.subtract(1, ordering: .relaxed) }

  private func noteStack() {
    var here: UInt8 = 0
    let address = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    if highest.load(ordering: .relaxed) == 0 { first.store(address, ordering: .relaxed) }
    last.store(address, ordering: .relaxed)
    if address < lowest.load(ordering: .relaxed) { lowest.store(address, ordering: .relaxed) }
    if address > highest.load(ordering: .relaxed) { highest.store(address, ordering: .relaxed) }
  }

  /// Where the stack stood at the first value, and at the last.
  var firstStack: UInt { first.load(ordering: .relaxed) }
  var lastStack: UInt { last.load(ordering: .relaxed) }

  /// Bytes of stack between the shallowest and the deepest value.
  var stackSpan: UInt {
    let (low, high) = (lowest.load(ordering: .relaxed), highest.load(ordering: .relaxed))
    return high > low ? high - low : 0
  }

  func request(_ demand: Subscribers.Demand) {
    let subscription = state.withLock { state in
      state.demanded += demand
      return state.subscription
    }
    subscription?.request(demand)
  }

  /// Cancels; from then on each signal is a breach, but for the one that another thread may just
  /// be delivering.
  func cancel(whileOthersSend: Bool = false) {
    // Only looked up: a second canceller must not take its own call for done while the first's runs.
    let subscription = state.withLock { $0.subscription }
    subscription?.cancel()
    let dropped = state.withLock { state in
      if !state.isCancelled { state.grace = whileOthersSend ? 1 : 0 }
      state.isCancelled = true
      return state.subscription.take()
    }
    _ = dropped
  }

  var subscription: (any Subscription)? { state.withLock { $0.subscription } }
  var breaches: Set<Breach> { state.withLock { $0.breaches } }
  var values: [Int] { state.withLock { $0.values } }
  var received: Int { state.withLock { $0.received } }
  var ends: Int { state.withLock { $0.ends.count } }
}
