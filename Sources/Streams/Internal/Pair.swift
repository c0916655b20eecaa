/// The rules of an operator with two sources.
@usableFromInline
protocol PairMachine: DeliveryMachine {
  associatedtype Left: Sendable
  associatedtype Right: Sendable

  var left: (any Subscription)? { get set }
  var right: (any Subscription)? { get set }
  mutating func leftStarted(_ outbox: inout Outbox<Value, Failure>)
  mutating func rightStarted(_ outbox: inout Outbox<Value, Failure>)
  mutating func receivedLeft(_ value: Left, _ outbox: inout Outbox<Value, Failure>)
  mutating func receivedRight(_ value: Right, _ outbox: inout Outbox<Value, Failure>)
  mutating func leftEnded(
    _ completion: Subscribers.Completion<Failure>, _ outbox: inout Outbox<Value, Failure>)
  mutating func rightEnded(
    _ completion: Subscribers.Completion<Failure>, _ outbox: inout Outbox<Value, Failure>)
}

extension PairMachine {
  @inlinable
  mutating func stop(_ outbox: inout Outbox<Value, Failure>) {
    outbox.cancelLater(left.take())
    outbox.cancelLater(right.take())
  }
}

/// Takes what the first source sends.
@usableFromInline
struct LeftSubscriber<Machine: PairMachine, Downstream: Subscriber>: Subscriber
where Machine.Value == Downstream.Input, Machine.Failure == Downstream.Failure {
  @usableFromInline typealias Input = Machine.Left
  @usableFromInline typealias Failure = Machine.Failure

  @usableFromInline let delivery: SerialDelivery<Machine, Downstream>
  @usableFromInline let name: StaticString

  @inlinable @inline(__always)
  init(_ delivery: SerialDelivery<Machine, Downstream>, _ name: StaticString) {
    self.delivery = delivery
    self.name = name
  }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    let isOpen = delivery.update { machine, outbox in
      machine.left = subscription
      machine.leftStarted(&outbox)
    }
    if !isOpen { subscription.cancel() }
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    delivery.update { machine, outbox in machine.receivedLeft(input, &outbox) }
    return .none
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    delivery.update { machine, outbox in
      machine.left = nil
      machine.leftEnded(completion, &outbox)
    }
  }
}

extension LeftSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "\(name)" }
}

/// Takes what the second source sends.
@usableFromInline
struct RightSubscriber<Machine: PairMachine, Downstream: Subscriber>: Subscriber
where Machine.Value == Downstream.Input, Machine.Failure == Downstream.Failure {
  @usableFromInline typealias Input = Machine.Right
  @usableFromInline typealias Failure = Machine.Failure

  @usableFromInline let delivery: SerialDelivery<Machine, Downstream>
  @usableFromInline let name: StaticString

  @inlinable @inline(__always)
  init(_ delivery: SerialDelivery<Machine, Downstream>, _ name: StaticString) {
    self.delivery = delivery
    self.name = name
  }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    let isOpen = delivery.update { machine, outbox in
      machine.right = subscription
      machine.rightStarted(&outbox)
    }
    if !isOpen { subscription.cancel() }
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    delivery.update { machine, outbox in machine.receivedRight(input, &outbox) }
    return .none
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    delivery.update { machine, outbox in
      machine.right = nil
      machine.rightEnded(completion, &outbox)
    }
  }
}

extension RightSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "\(name)" }
}

/// The `Right` of operators whose second source is there only to signal.
@usableFromInline
enum PairStart {
  /// Opens the downstream, then subscribes to both sources, the second one first if asked.
  @inlinable @inline(__always)
  static func begin<Machine: PairMachine, Downstream: Subscriber>(
    _ name: StaticString, _ machine: Machine, _ downstream: Downstream, rightFirst: Bool = false,
    left: (LeftSubscriber<Machine, Downstream>) -> Void,
    right: (RightSubscriber<Machine, Downstream>) -> Void
  ) {
    let delivery = SerialDelivery(machine, downstream)
    delivery.open(name)
    if rightFirst { right(RightSubscriber(delivery, name)) }
    if !delivery.isOver { left(LeftSubscriber(delivery, name)) }
    if !rightFirst, !delivery.isOver { right(RightSubscriber(delivery, name)) }
  }
}
