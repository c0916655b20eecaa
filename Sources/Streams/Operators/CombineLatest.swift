extension Publisher {
  /// Sends the newest values of both whenever one of them sends, once both have.
  ///
  /// When nobody asks, only the newest pair is kept. Finishes when both have, or when one finishes
  /// without a value; fails when either fails. Delivers on whichever thread sends, one at a time.
  /// Cancel stops both.
  ///
  /// ```swift
  /// width.combineLatest(height) { $0 * $1 }
  /// ```
  @inlinable @inline(__always)
  public func combineLatest<P: Publisher>(
    _ other: P
  ) -> Publishers.CombineLatest<Self, P> where P.Failure == Failure {
    Publishers.CombineLatest(self, other)
  }

  /// Combines the newest values of both whenever one of them sends. See `combineLatest(_:)`.
  @inlinable @inline(__always)
  public func combineLatest<P: Publisher, T: Sendable>(
    _ other: P, _ transform: @escaping @Sendable (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T> where P.Failure == Failure {
    combineLatest(other).map { transform($0.0, $0.1) }
  }
}

extension Publishers {
  /// What `combineLatest` returns.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    /// The newest value of each source.
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
        "CombineLatest", CombineLatestMachine<A.Output, B.Output, Failure>(), subscriber,
        left: { a.receive(subscriber: $0) }, right: { b.receive(subscriber: $0) })
    }
  }
}

/// The rules of `combineLatest`.
@usableFromInline
struct CombineLatestMachine<Left: Sendable, Right: Sendable, Failure: Error>: PairMachine {
  @usableFromInline typealias Value = (Left, Right)

  @usableFromInline var left: (any Subscription)?
  @usableFromInline var right: (any Subscription)?
  @usableFromInline var newestLeft: Left?
  @usableFromInline var newestRight: Right?
  /// The newest pair could not be sent, as nobody had asked.
  @usableFromInline var isDue = false
  @usableFromInline var leftIsDone = false
  @usableFromInline var rightIsDone = false

  @inlinable init() {}

  @inlinable
  mutating func leftStarted(_ outbox: inout Outbox<Value, Failure>) {
    outbox.effects.request(left, .unlimited)
  }

  @inlinable
  mutating func rightStarted(_ outbox: inout Outbox<Value, Failure>) {
    outbox.effects.request(right, .unlimited)
  }

  @inlinable
  mutating func demandRose(by more: Subscribers.Demand, _ outbox: inout Outbox<Value, Failure>) {
    if isDue { send(&outbox) }
  }

  @inlinable
  mutating func send(_ outbox: inout Outbox<Value, Failure>) {
    guard let newestLeft, let newestRight else { return }
    isDue = !outbox.hasRoom
    if !isDue { outbox.put((newestLeft, newestRight)) }
  }

  @inlinable
  mutating func receivedLeft(_ value: Left, _ outbox: inout Outbox<Value, Failure>) {
    newestLeft = value
    send(&outbox)
  }

  @inlinable
  mutating func receivedRight(_ value: Right, _ outbox: inout Outbox<Value, Failure>) {
    newestRight = value
    send(&outbox)
  }

  @inlinable
  mutating func leftEnded(
    _ completion: Subscribers.Completion<Failure>, _ outbox: inout Outbox<Value, Failure>
  ) {
    leftIsDone = true
    ended(completion, isMute: newestLeft == nil, &outbox)
  }

  @inlinable
  mutating func rightEnded(
    _ completion: Subscribers.Completion<Failure>, _ outbox: inout Outbox<Value, Failure>
  ) {
    rightIsDone = true
    ended(completion, isMute: newestRight == nil, &outbox)
  }

  @inlinable
  mutating func ended(
    _ completion: Subscribers.Completion<Failure>, isMute: Bool,
    _ outbox: inout Outbox<Value, Failure>
  ) {
    if case .failure = completion { return outbox.finish(completion) }
    guard isMute || (leftIsDone && rightIsDone) else { return }
    if isDue, let newestLeft, let newestRight { outbox.put((newestLeft, newestRight)) }
    outbox.finish(.finished)
  }
}
