extension Publisher {
  /// Subscribes anew when the source fails, up to `retries` times; then the failure passes.
  ///
  /// Demand that was not met passes to the next attempt. Delivers where the source does; cancel
  /// stops the attempt that runs.
  ///
  /// ```swift
  /// load(url).retry(2)
  /// ```
  @inlinable @inline(__always)
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, policy: RetryPolicy(attempts: retries)) { _, again in
      again.run()
    }
  }

  /// Subscribes anew when the source fails, as `policy` says, after waiting on `scheduler`.
  ///
  /// Demand that was not met passes to the next attempt. What the policy gives up passes as the
  /// failure. Cancel stops the attempt that runs, or the waiting.
  ///
  /// ```swift
  /// load(url).retry(
  ///   RetryPolicy(attempts: 3, backoff: .constant(.seconds(1))),
  ///   scheduler: DispatchQueue.global())
  /// ```
  @inlinable @inline(__always)
  public func retry<S: Scheduler>(
    _ policy: RetryPolicy<Failure>, scheduler: S
  ) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, policy: policy) { delay, again in
      if delay > .zero {
        scheduler.schedule(after: scheduler.now.advanced(by: delay)) { again.run() }
      } else {
        again.run()
      }
    }
  }
}

extension Publishers {
  /// What `retry` returns.
  public struct Retry<Upstream: Publisher>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// When to try again.
    public let policy: RetryPolicy<Upstream.Failure>
    @usableFromInline let wait: @Sendable (Duration, DelayedWork) -> Void

    @inlinable @inline(__always)
    init(
      upstream: Upstream, policy: RetryPolicy<Upstream.Failure>,
      wait: @escaping @Sendable (Duration, DelayedWork) -> Void
    ) {
      self.upstream = upstream
      self.policy = policy
      self.wait = wait
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let upstream = upstream
      let attempts = RetryAttempts(subscriber, policy, wait: wait) {
        upstream.receive(subscriber: RetrySubscriber(attempts: $0))
      }
      subscriber.receive(subscription: attempts.relay)
      attempts.begin()
    }
  }
}

/// What the attempts of one subscriber share.
@usableFromInline
final class RetryAttempts<Downstream: Subscriber>: Sendable {
  @usableFromInline let downstream: Downstream
  @usableFromInline let relay = Relay("Retry")
  /// Attempts that are to begin; one thread begins them all, so that failing at once does not nest.
  @usableFromInline let due = WorkCount()
  @usableFromInline let state: SerialBox<RetryState<Downstream.Failure>>
  @usableFromInline let wait: @Sendable (Duration, DelayedWork) -> Void
  @usableFromInline let subscribe: @Sendable (RetryAttempts) -> Void

  @inlinable
  init(
    _ downstream: Downstream, _ policy: RetryPolicy<Downstream.Failure>,
    wait: @escaping @Sendable (Duration, DelayedWork) -> Void,
    subscribe: @escaping @Sendable (RetryAttempts) -> Void
  ) {
    self.downstream = downstream
    state = SerialBox(RetryState(policy))
    self.wait = wait
    self.subscribe = subscribe
  }

  @inlinable
  func begin() {
    guard due.add() else { return }
    repeat {
      if !relay.isOver { Trampoline.at(relay.level) { subscribe(self) } }
    } while due.take()
  }

  @inlinable
  func failed(_ error: Downstream.Failure) {
    switch state.value.failed(error) {
    case .giveUp: downstream.receive(completion: .failure(error))
    case .tryAgain(let delay):
      let again = DelayedWork { self.begin() }
      relay.use(again)
      wait(delay, again)
    }
  }
}

@usableFromInline
struct RetrySubscriber<Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let attempts: RetryAttempts<Downstream>

  @inlinable @inline(__always)
  init(attempts: RetryAttempts<Downstream>) { self.attempts = attempts }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) { attempts.relay.use(subscription) }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if attempts.relay.isOver { return .none }
    let more = attempts.downstream.receive(input)
    attempts.relay.delivered(more)
    return more
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    if attempts.relay.isOver { return }
    attempts.relay.forget()
    switch completion {
    case .finished: attempts.downstream.receive(completion: .finished)
    case .failure(let error): attempts.failed(error)
    }
  }
}

extension RetrySubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "Retry" }
}
