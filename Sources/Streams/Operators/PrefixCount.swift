extension Publisher {
  /// Passes on the first values and then finishes, cancelling the source.
  ///
  /// With none it finishes at once. Fails and delivers as the source does.
  ///
  /// - Parameter maxLength: How many. A negative number is a programming error.
  ///
  /// ```swift
  /// (1...).publisher.prefix(2)  // 1, 2
  /// ```
  @inlinable @inline(__always)
  public func prefix(_ maxLength: Int) -> Publishers.PrefixCount<Self> {
    Publishers.PrefixCount(upstream: self, maxLength: maxLength)
  }
}

extension Publishers {
  /// What `prefix(_:)` returns.
  public struct PrefixCount<Upstream: Publisher>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// How many values pass.
    public let maxLength: Int

    @inlinable @inline(__always)
    init(upstream: Upstream, maxLength: Int) {
      self.upstream = upstream
      self.maxLength = maxLength
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      precondition(maxLength >= 0, "cannot pass a negative number of values")
      upstream.receive(
        subscriber: PrefixCountSubscriber(downstream: subscriber, left: SerialBox(maxLength)))
    }
  }
}

@usableFromInline
struct PrefixCountSubscriber<Input: Sendable, Downstream: Subscriber>: StoppingSubscriber
where Downstream.Input == Input {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let left: SerialBox<Int>
  @usableFromInline let slot = SubscriptionSlot()

  @inlinable @inline(__always)
  init(downstream: Downstream, left: SerialBox<Int>) {
    self.downstream = downstream
    self.left = left
  }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    guard slot.accept(subscription) else { return }
    // Looked at first: once the downstream has asked, values may come, and count, on another thread.
    let takesNone = left.value == 0
    downstream.receive(subscription: slot)
    if takesNone, slot.stop() { downstream.receive(completion: .finished) }
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard left.value > 0 else { return .none }
    left.value -= 1
    let more = downstream.receive(input)
    if left.value > 0 { return more }
    if slot.stop() { downstream.receive(completion: .finished) }
    return .none
  }
}

extension PrefixCountSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "Prefix" }
}
