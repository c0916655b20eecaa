extension Publishers {
  /// What `append` and `prepend` return.
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
  where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
    /// What both send.
    public typealias Output = Prefix.Output
    /// What both fail with.
    public typealias Failure = Prefix.Failure

    /// What comes first.
    public let prefix: Prefix
    /// What comes then.
    public let suffix: Suffix

    /// A publisher of `prefix` and then of `suffix`.
    @inlinable @inline(__always)
    public init(prefix: Prefix, suffix: Suffix) {
      self.prefix = prefix
      self.suffix = suffix
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let suffix = suffix
      let delivery = SerialDelivery(
        ConcatenateMachine<Output, Failure>(), subscriber)
      delivery.open("Concatenate")
      if delivery.isOver { return }
      delivery.update { machine, _ in
        machine.startRight = {
          [weak delivery] in
          guard let delivery else { return }
          suffix.receive(subscriber: RightSubscriber(delivery, "Concatenate"))
        }
      }
      prefix.receive(subscriber: LeftSubscriber(delivery, "Concatenate"))
    }
  }
}

/// The rules of `append`: the second source starts when the first has finished.
@usableFromInline
struct ConcatenateMachine<Value: Sendable, Failure: Error>: PairMachine {
  @usableFromInline typealias Left = Value
  @usableFromInline typealias Right = Value

  @usableFromInline var left: (any Subscription)?
  @usableFromInline var right: (any Subscription)?
  @usableFromInline var startRight: (@Sendable () -> Void)?

  @inlinable init() {}

  @inlinable
  mutating func leftStarted(_ outbox: inout Outbox<Value, Failure>) {
    outbox.effects.request(left, outbox.demand)
  }

  @inlinable
  mutating func rightStarted(_ outbox: inout Outbox<Value, Failure>) {
    outbox.effects.request(right, outbox.demand)
  }

  @inlinable
  mutating func demandRose(by more: Subscribers.Demand, _ outbox: inout Outbox<Value, Failure>) {
    outbox.effects.request(left ?? right, more)
  }

  @inlinable
  mutating func receivedLeft(_ value: Value, _ outbox: inout Outbox<Value, Failure>) {
    outbox.put(value)
  }

  @inlinable
  mutating func receivedRight(_ value: Value, _ outbox: inout Outbox<Value, Failure>) {
    outbox.put(value)
  }

  @inlinable
  mutating func leftEnded(
    _ completion: Subscribers.Completion<Failure>, _ outbox: inout Outbox<Value, Failure>
  ) {
    if case .failure = completion { return outbox.finish(completion) }
    if let start = startRight.take() { outbox.effects.run(start) }
  }

  @inlinable
  mutating func rightEnded(
    _ completion: Subscribers.Completion<Failure>, _ outbox: inout Outbox<Value, Failure>
  ) {
    outbox.finish(completion)
  }

  @inlinable
  mutating func stop(_ outbox: inout Outbox<Value, Failure>) {
    startRight = nil
    outbox.cancelLater(left.take())
    outbox.cancelLater(right.take())
  }
}
