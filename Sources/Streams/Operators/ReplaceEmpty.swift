extension Publisher {
  /// Sends `output` when the source finishes without a value.
  ///
  /// The replacement waits until it is asked for. Fails and delivers as the source does; cancel
  /// stops it.
  ///
  /// ```swift
  /// [String]().publisher.replaceEmpty(with: "nothing found")  // nothing found
  /// ```
  @inlinable @inline(__always)
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }
}

extension Publishers {
  /// What `replaceEmpty` returns.
  public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// What is sent in place of nothing.
    public let output: Upstream.Output

    @inlinable @inline(__always)
    init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: ReplaceEmptySubscriber(downstream: subscriber, output: output))
    }
  }
}

@usableFromInline
struct ReplaceEmptySubscriber<Input: Sendable, Downstream: Subscriber>: RelaySubscriber
where Downstream.Input == Input {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let output: Input
  @usableFromInline let relay = Relay("ReplaceEmpty")
  @usableFromInline let hadValue = SerialBox(false)

  @inlinable @inline(__always)
  init(downstream: Downstream, output: Input) {
    self.downstream = downstream
    self.output = output
  }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    downstream.receive(subscription: relay)
    relay.use(subscription)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if relay.isOver { return .none }
    hadValue.value = true
    let more = downstream.receive(input)
    relay.delivered(more)
    return more
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    if relay.isOver { return }
    relay.forget()
    if case .finished = completion, !hadValue.value {
      OneValueSubscription.attach(RelayTail(downstream: downstream, relay: relay), output)
    } else {
      downstream.receive(completion: completion)
    }
  }
}

extension ReplaceEmptySubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "ReplaceEmpty" }
}
