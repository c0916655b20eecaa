extension Publisher {
  /// Combines each value with the newest one of `other`; drops those that come before it has any.
  ///
  /// For each value dropped one more is asked for. Finishes when this publisher does; fails when
  /// either fails. Delivers where this publisher sends. Cancel stops both.
  ///
  /// ```swift
  /// taps.withLatest(from: position) { tap, position in (tap, position) }
  /// ```
  @inlinable @inline(__always)
  public func withLatest<P: Publisher, T: Sendable>(
    from other: P, _ transform: @escaping @Sendable (Output, P.Output) -> T
  ) -> Publishers.WithLatest<Self, P, T> where P.Failure == Failure {
    Publishers.WithLatest(self, other, transform: transform)
  }

  /// Sends the newest value of `other` in place of each value. See `withLatest(from:_:)`.
  @inlinable @inline(__always)
  public func withLatest<P: Publisher>(
    from other: P
  ) -> Publishers.WithLatest<Self, P, P.Output> where P.Failure == Failure {
    withLatest(from: other) { $1 }
  }
}

extension Publishers {
  /// What `withLatest` returns.
  public struct WithLatest<A: Publisher, B: Publisher, Output: Sendable>: Publisher
  where A.Failure == B.Failure {
    /// What both sources fail with.
    public typealias Failure = A.Failure

    /// The source whose values count.
    public let upstream: A
    /// The source that is looked at.
    public let other: B
    /// Combines a value of each.
    public let transform: @Sendable (A.Output, B.Output) -> Output

    /// A publisher over both sources.
    @inlinable @inline(__always)
    public init(
      _ upstream: A, _ other: B, transform: @escaping @Sendable (A.Output, B.Output) -> Output
    ) {
      self.upstream = upstream
      self.other = other
      self.transform = transform
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      PairStart.begin(
        "WithLatest", WithLatestMachine(transform), subscriber, rightFirst: true,
        left: { upstream.receive(subscriber: $0) }, right: { other.receive(subscriber: $0) })
    }
  }
}

/// The rules of `withLatest`.
@usableFromInline
struct WithLatestMachine<Left: Sendable, Right: Sendable, Value: Sendable, Failure: Error>:
  PairMachine
{
  @usableFromInline var left: (any Subscription)?
  @usableFromInline var right: (any Subscription)?
  @usableFromInline var newest: Right?
  @usableFromInline let transform: @Sendable (Left, Right) -> Value

  @inlinable
  init(_ transform: @escaping @Sendable (Left, Right) -> Value) { self.transform = transform }

  @inlinable
  mutating func leftStarted(_ outbox: inout Outbox<Value, Failure>) {
    outbox.effects.request(left, outbox.demand)
  }

  @inlinable
  mutating func rightStarted(_ outbox: inout Outbox<Value, Failure>) {
    outbox.effects.request(right, .unlimited)
  }

  @inlinable
  mutating func demandRose(by more: Subscribers.Demand, _ outbox: inout Outbox<Value, Failure>) {
    outbox.effects.request(left, more)
  }

  @inlinable
  mutating func receivedLeft(_ value: Left, _ outbox: inout Outbox<Value, Failure>) {
    if let newest {
      outbox.put(transform(value, newest))
    } else {
      outbox.effects.request(left, .max(1))
    }
  }

  @inlinable
  mutating func receivedRight(_ value: Right, _ outbox: inout Outbox<Value, Failure>) {
    newest = value
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
    if case .failure = completion { outbox.finish(completion) }
  }
}
