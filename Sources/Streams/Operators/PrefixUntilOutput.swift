extension Publisher {
  /// Passes values on until `other` sends one; then finishes.
  ///
  /// When `other` ends without a value, be it by a failure, nothing changes. Fails when the source
  /// does. Delivers where the source sends, the end where either does. Cancel stops both.
  ///
  /// ```swift
  /// frames.prefix(untilOutputFrom: stopButton)
  /// ```
  @inlinable @inline(__always)
  public func prefix<P: Publisher>(
    untilOutputFrom other: P
  ) -> Publishers.PrefixUntilOutput<Self, P> {
    Publishers.PrefixUntilOutput(self, other)
  }
}

extension Publishers {
  /// What `prefix(untilOutputFrom:)` returns.
  public struct PrefixUntilOutput<A: Publisher, B: Publisher>: Publisher {
    /// The source's.
    public typealias Output = A.Output
    /// What the source fails with.
    public typealias Failure = A.Failure

    /// The source.
    public let upstream: A
    /// What ends it.
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
        "PrefixUntilOutput", PrefixUntilOutputMachine<A.Output, B.Output, Failure>(), subscriber,
        rightFirst: true,
        left: { upstream.receive(subscriber: $0) },
        right: { other.receive(subscriber: SignalSubscriber<_, B.Failure>($0)) })
    }
  }
}

/// The rules of `prefix(untilOutputFrom:)`.
@usableFromInline
struct PrefixUntilOutputMachine<Left: Sendable, Right: Sendable, Failure: Error>: PairMachine {
  @usableFromInline typealias Value = Left

  @usableFromInline var left: (any Subscription)?
  @usableFromInline var right: (any Subscription)?

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
    outbox.put(value)
  }

  @inlinable
  mutating func receivedRight(_ value: Right, _ outbox: inout Outbox<Value, Failure>) {
    outbox.finish(.finished)
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
  ) {}
}

/// Takes what ends the stream. How that ends itself, and fails with what, is of no interest.
@usableFromInline
struct SignalSubscriber<Signal: Subscriber, Failure: Error>: Subscriber {
  @usableFromInline typealias Input = Signal.Input

  @usableFromInline let signal: Signal

  @inlinable @inline(__always)
  init(_ signal: Signal) { self.signal = signal }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) { signal.receive(subscription: subscription) }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { signal.receive(input) }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    signal.receive(completion: .finished)
  }
}

extension SignalSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "\(signal)" }
}
