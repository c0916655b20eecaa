/// The rules of an operator with one source that others than the source may set in motion too: the
/// downstream's requests, or a timer.
@usableFromInline
protocol SingleMachine: DeliveryMachine {
  associatedtype Input: Sendable = Value
  associatedtype SourceFailure: Error = Failure

  var source: (any Subscription)? { get set }
  mutating func started(_ outbox: inout Outbox<Value, Failure>)
  mutating func received(_ value: Input, _ outbox: inout Outbox<Value, Failure>)
  mutating func ended(
    _ completion: Subscribers.Completion<SourceFailure>, _ outbox: inout Outbox<Value, Failure>)
}

extension SingleMachine {
  @inlinable
  mutating func stop(_ outbox: inout Outbox<Value, Failure>) {
    outbox.cancelLater(source.take())
  }
}

/// Takes what the source sends.
@usableFromInline
struct SingleSubscriber<Machine: SingleMachine, Downstream: Subscriber>: Subscriber
where Machine.Value == Downstream.Input, Machine.Failure == Downstream.Failure {
  @usableFromInline typealias Input = Machine.Input
  @usableFromInline typealias Failure = Machine.SourceFailure

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
      machine.source = subscription
      machine.started(&outbox)
    }
    if !isOpen { subscription.cancel() }
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    delivery.update { machine, outbox in machine.received(input, &outbox) }
    return .none
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    delivery.update { machine, outbox in
      machine.source = nil
      machine.ended(completion, &outbox)
    }
  }
}

extension SingleSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "\(name)" }
}

@usableFromInline
enum SingleStart {
  /// Opens the downstream, then subscribes to the source.
  @inlinable @inline(__always)
  static func begin<Machine: SingleMachine, Downstream: Subscriber>(
    _ name: StaticString, _ machine: Machine, _ downstream: Downstream,
    subscribe: (SingleSubscriber<Machine, Downstream>) -> Void
  ) {
    let delivery = SerialDelivery(machine, downstream)
    delivery.open(name)
    if !delivery.isOver { subscribe(SingleSubscriber(delivery, name)) }
  }
}
