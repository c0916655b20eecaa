/// The rules of `flatMap` and `merge`: which publishers run, and who may send.
///
/// With unlimited demand every publisher runs freely. Otherwise each is asked for one value at a
/// time; one that comes when nobody asked is set aside, and its publisher waits.
@usableFromInline
struct FlatMapMachine<Value: Sendable, Failure: Error>: DeliveryMachine {
  @usableFromInline
  enum Slot: Sendable {
    case free
    /// Subscribing; → running, free.
    case starting
    /// → ended, free.
    case running(any Subscription)
    /// Has ended, but its last value is set aside; → free.
    case ended
  }

  @usableFromInline let limit: Subscribers.Demand
  @usableFromInline var upstream: (any Subscription)?
  @usableFromInline var upstreamIsDone = false
  @usableFromInline var slots: [Slot] = []
  @usableFromInline var freeSlots: [Int] = []
  @usableFromInline var active = 0
  @usableFromInline var setAside = Queue<(value: Value, slot: Int)>()

  @inlinable
  init(limit: Subscribers.Demand) { self.limit = limit }

  @inlinable
  mutating func start() -> Int {
    active += 1
    if let slot = freeSlots.popLast() {
      slots[slot] = .starting
      return slot
    }
    slots.append(.starting)
    return slots.count - 1
  }

  @inlinable
  mutating func started(
    _ slot: Int, _ subscription: any Subscription, _ outbox: inout Outbox<Value, Failure>
  ) {
    slots[slot] = .running(subscription)
    outbox.effects.request(subscription, outbox.demand.isUnlimited ? .unlimited : .max(1))
  }

  @inlinable @inline(__always)
  mutating func received(
    _ value: Value, from slot: Int, _ outbox: inout Outbox<Value, Failure>
  ) {
    if outbox.demand.isUnlimited {
      outbox.put(value)
    } else {
      receivedWithCare(value, from: slot, &outbox)
    }
  }

  @inlinable
  mutating func receivedWithCare(
    _ value: Value, from slot: Int, _ outbox: inout Outbox<Value, Failure>
  ) {
    guard outbox.hasRoom else { return setAside.append((value, slot)) }
    outbox.put(value)
    if case .running(let subscription) = slots[slot] {
      outbox.effects.request(subscription, .max(1))
    }
  }

  @inlinable
  mutating func ended(
    _ slot: Int, _ completion: Subscribers.Completion<Failure>,
    _ outbox: inout Outbox<Value, Failure>
  ) {
    if case .failure = completion {
      slots[slot] = .free
      return outbox.finish(completion)
    }
    if setAside.contains(where: { $0.slot == slot }) {
      slots[slot] = .ended
    } else {
      free(slot, &outbox)
    }
  }

  @inlinable
  mutating func free(_ slot: Int, _ outbox: inout Outbox<Value, Failure>) {
    slots[slot] = .free
    freeSlots.append(slot)
    active -= 1
    if upstreamIsDone {
      if active == 0 { outbox.finish(.finished) }
    } else if !limit.isUnlimited {
      outbox.effects.request(upstream, .max(1))
    }
  }

  @inlinable
  mutating func upstreamEnded(
    _ completion: Subscribers.Completion<Failure>, _ outbox: inout Outbox<Value, Failure>
  ) {
    upstream = nil
    upstreamIsDone = true
    if case .failure = completion {
      outbox.finish(completion)
    } else if active == 0 {
      outbox.finish(.finished)
    }
  }

  @inlinable
  mutating func demandRose(
    by more: Subscribers.Demand, _ outbox: inout Outbox<Value, Failure>
  ) {
    while outbox.hasRoom, let (value, slot) = setAside.popFirst() {
      outbox.put(value)
      switch slots[slot] {
      case .running(let subscription) where !outbox.demand.isUnlimited:
        outbox.effects.request(subscription, .max(1))
      case .ended: free(slot, &outbox)
      default: break
      }
    }
    guard outbox.demand.isUnlimited else { return }
    for case .running(let subscription) in slots {
      outbox.effects.request(subscription, .unlimited)
    }
  }

  @inlinable
  mutating func stop(_ outbox: inout Outbox<Value, Failure>) {
    outbox.cancelLater(upstream.take())
    for case .running(let subscription) in slots { outbox.cancelLater(subscription) }
    slots = []
    setAside = Queue()
  }
}
