/// What an operator owes its downstream and its sources. Lives inside the operator's lock.
@usableFromInline
struct Outbox<Value: Sendable, Failure: Error>: Sendable {
  /// What to do next, outside the lock.
  @usableFromInline
  enum Signal: Sendable {
    case value(Value)
    case end(Subscribers.Completion<Failure>)
    case effects(Effects)
    /// Over, and nobody is delivering any more: the downstream may go.
    case release
    case nothing
  }

  /// Asked for and not yet delivered.
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var first: Value?
  @usableFromInline var rest = Queue<Value>()
  @usableFromInline var end: Subscribers.Completion<Failure>?
  /// Somebody talks to the downstream; at first the thread that hands it its subscription.
  @usableFromInline var isDelivering = true
  /// Ended or cancelled: nothing may be added.
  @usableFromInline var isOver = false
  /// Done by whoever stops delivering; never while delivering, when what comes of them would pile
  /// up.
  @usableFromInline var effects = Effects()
  /// Done at once.
  @usableFromInline var cancels: [any Cancellable]?

  @inlinable
  init() {}

  @inlinable
  var waitingCount: Int { (first == nil ? 0 : 1) + rest.count }

  /// Whether one more value would be delivered without a further request.
  @inlinable
  var hasRoom: Bool { demand.isUnlimited || demand.count > waitingCount }

  @inlinable @inline(__always)
  mutating func put(_ value: Value) {
    if first == nil { first = value } else { rest.append(value) }
  }

  /// Drops the value that waits behind `offset` others.
  @inlinable
  mutating func drop(at offset: Int) {
    if offset == 0 { first = rest.popFirst() } else { _ = rest.remove(at: offset - 1) }
  }

  /// Ends the stream after what is waiting.
  @inlinable
  mutating func finish(_ completion: Subscribers.Completion<Failure>) {
    if end == nil { end = completion }
  }

  @inlinable
  mutating func cancelLater(_ subscription: (any Cancellable)?) {
    guard let subscription else { return }
    cancels = (cancels ?? []) + [subscription]
  }

  /// Claims the downstream, if there is something for it.
  @inlinable @inline(__always)
  mutating func begin() -> Signal { isDelivering ? .nothing : next() }

  @inlinable @inline(__always)
  mutating func next() -> Signal {
    // The claim on the downstream is kept for good from here on: nobody else may end or release it.
    if isOver {
      isDelivering = true
      return .release
    }
    if demand.count > 0, let value = first {
      first = rest.popFirst()
      if !demand.isUnlimited { demand -= 1 }
      isDelivering = true
      return .value(value)
    }
    return nextWithoutValue()
  }

  @inlinable
  mutating func nextWithoutValue() -> Signal {
    if first == nil, let end {
      isOver = true
      isDelivering = true
      return .end(end)
    }
    isDelivering = false
    guard !effects.isEmpty else { return .nothing }
    let effects = effects
    self.effects = Effects()
    return .effects(effects)
  }
}

/// Calls to make outside the lock.
@usableFromInline
struct Effects: Sendable {
  @usableFromInline
  enum Effect: Sendable {
    case request(any Subscription, Subscribers.Demand)
    case run(@Sendable () -> Void)
  }

  @usableFromInline var first: Effect?
  @usableFromInline var rest: [Effect] = []

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { first == nil }

  @inlinable
  mutating func append(_ effect: Effect) {
    if first == nil { first = effect } else { rest.append(effect) }
  }

  @inlinable
  mutating func request(_ subscription: (any Subscription)?, _ demand: Subscribers.Demand) {
    if let subscription, demand > .none { append(.request(subscription, demand)) }
  }

  @inlinable
  mutating func run(_ work: @escaping @Sendable () -> Void) { append(.run(work)) }

  @usableFromInline
  func perform() {
    if let first { Self.perform(first) }
    for effect in rest { Self.perform(effect) }
  }

  private static func perform(_ effect: Effect) {
    switch effect {
    case .request(let subscription, let demand): subscription.request(demand)
    case .run(let work): work()
    }
  }
}
