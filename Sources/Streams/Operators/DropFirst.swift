extension Publisher {
  /// Drops the first values.
  ///
  /// For each value dropped one more is asked for. Fails, ends and delivers as the source does;
  /// cancel passes through.
  ///
  /// - Parameter count: How many. One unless given; a negative number is a programming error.
  ///
  /// ```swift
  /// (1...4).publisher.dropFirst(2)  // 3, 4
  /// ```
  @inlinable @inline(__always)
  public func dropFirst(_ count: Int = 1) -> Publishers.DropFirst<Self> {
    Publishers.DropFirst(upstream: self, count: count)
  }
}

extension Publishers {
  /// What `dropFirst` returns.
  public struct DropFirst<Upstream: Publisher>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// How many values are dropped.
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
      precondition(count >= 0, "cannot drop a negative number of values")
      upstream.receive(
        subscriber: DropFirstSubscriber(downstream: subscriber, left: SerialBox(count)))
    }
  }
}

@usableFromInline
struct DropFirstSubscriber<Input: Sendable, Downstream: Subscriber>: RelaySubscriber
where Downstream.Input == Input {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let left: SerialBox<Int>

  @inlinable @inline(__always)
  init(downstream: Downstream, left: SerialBox<Int>) {
    self.downstream = downstream
    self.left = left
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if left.value > 0 {
      left.value -= 1
      return .max(1)
    }
    return downstream.receive(input)
  }
}

extension DropFirstSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "DropFirst" }
}
