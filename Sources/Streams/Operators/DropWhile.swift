extension Publisher {
  /// Drops values until one comes that `predicate` refuses; that and all later ones pass.
  ///
  /// For each value dropped one more is asked for. Fails, ends and delivers as the source does;
  /// cancel passes through.
  ///
  /// ```swift
  /// [1, 2, 3, 1].publisher.drop { $0 < 3 }  // 3, 1
  /// ```
  @inlinable @inline(__always)
  public func drop(while predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.DropWhile<Self>
  {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// What `drop(while:)` returns.
  public struct DropWhile<Upstream: Publisher>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// Whether a value is still to be dropped.
    public let predicate: @Sendable (Upstream.Output) -> Bool

    @inlinable @inline(__always)
    init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: DropWhileSubscriber(downstream: subscriber, predicate: predicate))
    }
  }
}

@usableFromInline
struct DropWhileSubscriber<Input: Sendable, Downstream: Subscriber>: RelaySubscriber
where Downstream.Input == Input {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let predicate: @Sendable (Input) -> Bool
  @usableFromInline let dropping = SerialBox(true)

  @inlinable @inline(__always)
  init(downstream: Downstream, predicate: @escaping @Sendable (Input) -> Bool) {
    self.downstream = downstream
    self.predicate = predicate
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if dropping.value, predicate(input) { return .max(1) }
    dropping.value = false
    return downstream.receive(input)
  }
}

extension DropWhileSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "DropWhile" }
}
