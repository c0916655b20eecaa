extension Publisher {
  /// Collects values into arrays of `count`, the last one maybe shorter.
  ///
  /// For each array demanded `count` values are asked for. Fails, ends and delivers as the source
  /// does; cancel passes through.
  ///
  /// - Parameter count: At least one; anything less is a programming error.
  ///
  /// ```swift
  /// (1...5).publisher.collect(2)  // [1, 2], [3, 4], [5]
  /// ```
  @inlinable @inline(__always)
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}

extension Publishers {
  /// What `collect(_:)` returns.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    /// Some of the source's values.
    public typealias Output = [Upstream.Output]
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// How many values make an array.
    public let count: Int

    @inlinable @inline(__always)
    init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      precondition(count > 0, "an array of no values would never be sent")
      upstream.receive(subscriber: CollectByCountSubscriber(downstream: subscriber, count: count))
    }
  }
}

@usableFromInline
struct CollectByCountSubscriber<Input: Sendable, Downstream: Subscriber>: RelaySubscriber
where Downstream.Input == [Input] {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let count: Int
  @usableFromInline let batch = SerialBox<[Input]>([])
  /// Asked between the rest and the end: a cancel in reply to the one stops the other.
  @usableFromInline let slot = SubscriptionSlot()

  @inlinable @inline(__always)
  init(downstream: Downstream, count: Int) {
    self.downstream = downstream
    self.count = count
  }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    let (count, slot) = (count, slot)
    guard slot.accept(subscription) else { return }
    downstream.receive(
      subscription: ClosureSubscription(
        "CollectByCount", request: { slot.request($0 * count) }, cancel: { slot.cancel() }))
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    batch.value.append(input)
    guard batch.value.count == count else { return .none }
    let full = batch.value
    batch.value = []
    return downstream.receive(full) * count
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    if slot.isOver { return }
    let rest = batch.value
    batch.value = []
    if case .finished = completion, !rest.isEmpty { _ = downstream.receive(rest) }
    if slot.finish() { downstream.receive(completion: completion) }
  }
}

extension CollectByCountSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "CollectByCount" }
}
