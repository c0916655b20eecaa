extension Publisher {
  /// Drops all values and passes on only the end.
  ///
  /// Everything is asked for. Fails, ends and delivers as the source does; cancel passes through.
  ///
  /// ```swift
  /// load(url).ignoreOutput().sink { print("done: \($0)") } receiveValue: { _ in }
  /// ```
  @inlinable @inline(__always)
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    Publishers.IgnoreOutput(upstream: self)
  }
}

extension Publishers {
  /// What `ignoreOutput` returns.
  public struct IgnoreOutput<Upstream: Publisher>: Publisher {
    /// No values.
    public typealias Output = Never
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream

    @inlinable @inline(__always)
    init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: IgnoreOutputSubscriber(downstream: subscriber))
    }
  }
}

@usableFromInline
struct IgnoreOutputSubscriber<Input: Sendable, Downstream: Subscriber>: RelaySubscriber
where Downstream.Input == Never {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream

  @inlinable @inline(__always)
  init(downstream: Downstream) {
    self.downstream = downstream
  }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    downstream.receive(subscription: subscription)
    subscription.request(.unlimited)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { .none }
}

extension IgnoreOutputSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "IgnoreOutput" }
}
