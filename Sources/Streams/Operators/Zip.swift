extension Publisher {
  /// Pairs the values of both: the first with the first, the second with the second, and so on.
  ///
  /// Each source is asked for as much as is demanded. Finishes when one has finished and all its
  /// values are paired; fails when either fails. Delivers on whichever thread completes a pair.
  /// Cancel stops both.
  ///
  /// ```swift
  /// letters.zip(numbers)  // (a, 1), (b, 2)
  /// ```
  @inlinable @inline(__always)
  public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where P.Failure == Failure {
    Publishers.Zip(self, other)
  }

  /// Combines the values of both, pair by pair. See `zip(_:)`.
  @inlinable @inline(__always)
  public func zip<P: Publisher, T: Sendable>(
    _ other: P, _ transform: @escaping @Sendable (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.Zip<Self, P>, T> where P.Failure == Failure {
    zip(other).map { transform($0.0, $0.1) }
  }
}

extension Publishers {
  /// What `zip` returns.
  public struct Zip<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    /// A value of each source.
    public typealias Output = (A.Output, B.Output)
    /// What both sources fail with.
    public typealias Failure = A.Failure

    /// One source.
    public let a: A
    /// The other source.
    public let b: B

    /// A publisher over both sources.
    @inlinable @inline(__always)
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      PairStart.begin(
        "Zip", ZipMachine<A.Output, B.Output, Failure>(), subscriber,
        left: { a.receive(subscriber: $0) }, right: { b.receive(subscriber: $0) })
    }
  }
}

/// The rules of `zip`: what came first waits for its partner.
@usableFromInline
struct ZipMachine<Left: Sendable, Right: Sendable, Failure: Error>: PairMachine {
  @usableFromInline typealias Value = (Left, Right)

  @usableFromInline var left: (any Subscription)?
  @usableFromInline var right: (any Subscription)?
  @usableFromInline var lefts = Queue<Left>()
  @usableFromInline var rights = Queue<Right>()
  @usableFromInline var leftIsDone = false
  @usableFromInline var rightIsDone = false

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
    outbox.effects.request(left, more)
    outbox.effects.request(right, more)
  }

  @inlinable
  mutating func receivedLeft(_ value: Left, _ outbox: inout Outbox<Value, Failure>) {
    guard let partner = rights.popFirst() else { return lefts.append(value) }
    outbox.put((value, partner))
    if rightIsDone, rights.isEmpty { outbox.finish(.finished) }
  }

  @inlinable
  mutating func receivedRight(_ value: Right, _ outbox: inout Outbox<Value, Failure>) {
    guard let partner = lefts.popFirst() else { return rights.append(value) }
    outbox.put((partner, value))
    if leftIsDone, lefts.isEmpty { outbox.finish(.finished) }
  }

  @inlinable
  mutating func leftEnded(
    _ completion: Subscribers.Completion<Failure>, _ outbox: inout Outbox<Value, Failure>
  ) {
    leftIsDone = true
    if case .failure = completion { return outbox.finish(completion) }
    if lefts.isEmpty { outbox.finish(.finished) }
  }

  @inlinable
  mutating func rightEnded(
    _ completion: Subscribers.Completion<Failure>, _ outbox: inout Outbox<Value, Failure>
  ) {
    rightIsDone = true
    if case .failure = completion { return outbox.finish(completion) }
    if rights.isEmpty { outbox.finish(.finished) }
  }
}
