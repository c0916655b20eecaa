extension Publisher {
  /// Sends what this publisher and `other` send, as it comes.
  ///
  /// Fails when either fails, and cancels the other; finishes when both have. Delivers on whichever
  /// thread they send, one at a time; each is at most one value ahead of the demand. Cancel stops
  /// both.
  ///
  /// ```swift
  /// taps.merge(with: keys)
  /// ```
  @inlinable @inline(__always)
  public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Merge(self, other)
  }
}

extension Publishers {
  /// What `merge(with:)` returns.
  public struct Merge<A: Publisher, B: Publisher>: Publisher
  where A.Output == B.Output, A.Failure == B.Failure {
    /// What both send.
    public typealias Output = A.Output
    /// What both fail with.
    public typealias Failure = A.Failure

    /// One source.
    public let a: A
    /// The other source.
    public let b: B

    /// A publisher of what `a` and `b` send.
    @inlinable @inline(__always)
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let (delivery, inners) = MergeStart.begin(subscriber, count: 2)
      a.receive(subscriber: inners[0])
      b.receive(subscriber: inners[1])
      _ = delivery
    }
  }
}

/// Sets `merge` up: a `flatMap` whose publishers are all there from the start.
@usableFromInline
enum MergeStart {
  @inlinable
  static func begin<Downstream: Subscriber>(
    _ downstream: Downstream, count: Int
  ) -> (FlatMapInner<Downstream>.Delivery, [FlatMapInner<Downstream>]) {
    var machine = FlatMapMachine<Downstream.Input, Downstream.Failure>(limit: .unlimited)
    let slots = (0..<count).map { _ in machine.start() }
    machine.upstreamIsDone = true
    let delivery = SerialDelivery(machine, downstream)
    if count == 0 {
      delivery.update { _, outbox in outbox.finish(.finished) }
    }
    delivery.open("Merge")
    return (
      delivery,
      slots.map { FlatMapInner(delivery: delivery, slot: $0, takesEverything: false) }
    )
  }
}
