extension Publisher {
  /// Drops values until `other` sends one; all later ones pass.
  ///
  /// For each value dropped one more is asked for. Finishes when the source does, or when `other`
  /// finishes without a value; fails when either fails. Cancel stops both.
  ///
  /// ```swift
  /// moves.drop(untilOutputFrom: pressed)
  /// ```
  @inlinable @inline(__always)
  public func drop<P: Publisher>(
    untilOutputFrom other: P
  ) -> Publishers.DropUntilOutput<Self, P> where P.Failure == Failure {
    Publishers.DropUntilOutput(self, other)
  }
}

extension Publishers {
  /// What `drop(untilOutputFrom:)` returns.
  public struct DropUntilOutput<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    /// The source's.
    public typealias Output = A.Output
    /// What both sources fail with.
    public typealias Failure = A.Failure

    /// The source.
    public let upstream: A
    /// What opens it.
    public let other: B

    /// A publisher over both sources.
    @inlinable @inline(__always)
    public init(_ upstream: A, _ other: B) {
      self.upstream = upstream
      self.other = other
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      PairStart.begin(
        "DropUntilOutput", DropUntilOutputMachine<A.Output, B.Output, Failure>(), subscriber,
        rightFirst: true,
        left: { upstream.receive(subscriber: $0) }, right: { other.receive(subscriber: $0) })
    }
  }
}

/// The rules of `drop(untilOutputFrom:)`.
@usableFromInline
struct DropUntilOutputMachine<Left: Sendable, Right: Sendable, Failure: Error>: PairMachine {
  @usableFromInline typealias Value = Left

  @usableFromInline var left: (any Subscription)?
  @usableFromInline var right: (any Subscription)?
  @usableFromInline var isOpen = false

  @inlinable init() {}

  @inlinable
  mutating func leftStarted(_ outbox: inout Outbox<Value, Failure>) {
    outbox.effects.request(left, outbox.demand)
  }

  @inlinable
  mutating func rightStarted(_ outbox: inout Outbox<Value, Failure>) {
    outbox.effects.request(right, .max(1))
  }

  @inlinable
  mutating func demandRose(by more: Subscribers.Demand, _ outbox: inout Outbox<Value, Failure>) {
    outbox.effects.request(left, more)
  }

  @inlinable
  mutating func receivedLeft(_ value: Left, _ outbox: inout Outbox<Value, Failure>) {
    if isOpen { outbox.put(value) } else { outbox.effects.request(left, .max(1)) }
  }

  @inlinable
  mutating func receivedRight(_ value: Right, _ outbox: inout Outbox<Value, Failure>) {
    isOpen = true
    outbox.cancelLater(right.take())
  }

  @inlinable
  mutating func leftEnded(
    _ completion: Subscribers.Completion<Failure>, _ outbox: inout Outbox<Value, Failure>
  ) {
    outbox.finish(completion)
  }

  @inlinable
  mutating func rightEnded(
    _ completion: Subscribers.Completion<Failure>, _ outbox: inout Outbox<Value, Failure>
  ) {
    if case .failure = completion { return outbox.finish(completion) }
    if !isOpen { outbox.finish(.finished) }
  }
}
