extension Publisher {
  /// Passes values on until one comes that `predicate` refuses; then finishes, cancelling the
  /// source.
  ///
  /// Fails and delivers as the source does; cancel passes through.
  ///
  /// ```swift
  /// [1, 2, 3, 1].publisher.prefix { $0 < 3 }  // 1, 2
  /// ```
  @inlinable @inline(__always)
  public func prefix(while predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.PrefixWhile<Self>
  {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// What `prefix(while:)` returns.
  public struct PrefixWhile<Upstream: Publisher>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// Whether a value still passes.
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
        subscriber: PrefixWhileSubscriber(downstream: subscriber, predicate: predicate))
    }
  }
}

@usableFromInline
struct PrefixWhileSubscriber<Input: Sendable, Downstream: Subscriber>: StoppingSubscriber
where Downstream.Input == Input {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let predicate: @Sendable (Input) -> Bool
  @usableFromInline let slot = SubscriptionSlot()

  @inlinable @inline(__always)
  init(downstream: Downstream, predicate: @escaping @Sendable (Input) -> Bool) {
    self.downstream = downstream
    self.predicate = predicate
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if slot.isOver { return .none }
    if predicate(input) { return downstream.receive(input) }
    if slot.stop() { downstream.receive(completion: .finished) }
    return .none
  }
}

extension PrefixWhileSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "PrefixWhile" }
}
