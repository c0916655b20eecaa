/// A landing in a tall stack of streams: it passes everything on, by way of the trampoline.
///
/// Most operators call the next one directly, so a hundred thousand of them would need as many
/// frames. Such a stack can only be built through erased publishers, which put a landing between
/// every few of them. Nothing is paid in a stack of ordinary height.
@usableFromInline
enum Landing {
  @inlinable
  static func isDue(at level: Int) -> Bool { level & 31 == 31 }

  /// Lets `attach` subscribe a landing above `subscriber`, now or at the bottom of the stack.
  @inlinable @inline(never)
  static func put<Value: Sendable, Failure: Error>(
    below attach: @escaping @Sendable (AnySubscriber<Value, Failure>) -> Void,
    above subscriber: AnySubscriber<Value, Failure>
  ) {
    SingleStart.begin("AnyPublisher", LandingMachine<Value, Failure>(), subscriber) { landing in
      Trampoline.run {
        if !landing.delivery.isOver { attach(AnySubscriber(landing)) }
      }
    }
  }
}

/// The rules of a landing: it asks for what it is asked for.
@usableFromInline
struct LandingMachine<Value: Sendable, Failure: Error>: SingleMachine {
  @usableFromInline var source: (any Subscription)?

  @inlinable init() {}

  @inlinable
  mutating func started(_ outbox: inout Outbox<Value, Failure>) {
    outbox.effects.request(source, outbox.demand)
  }

  @inlinable
  mutating func demandRose(by more: Subscribers.Demand, _ outbox: inout Outbox<Value, Failure>) {
    outbox.effects.request(source, more)
  }

  @inlinable
  mutating func received(_ value: Value, _ outbox: inout Outbox<Value, Failure>) {
    outbox.put(value)
  }

  @inlinable
  mutating func ended(
    _ completion: Subscribers.Completion<Failure>, _ outbox: inout Outbox<Value, Failure>
  ) {
    outbox.finish(completion)
  }
}
