import Synchronization

extension Publisher {
  /// Calls closures as things pass, and changes nothing.
  ///
  /// They run on whichever thread the thing passes on. Fails, ends and delivers as the source does;
  /// cancel passes through.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Before the subscription passes downstream.
  ///   - receiveOutput: Before each value.
  ///   - receiveCompletion: Before the end.
  ///   - receiveCancel: When the downstream cancels, before the source is cancelled.
  ///   - receiveRequest: With each demand, before it reaches the source.
  ///
  /// ```swift
  /// load(url).handleEvents(receiveOutput: { print("progress \($0)") })
  /// ```
  @inlinable @inline(__always)
  public func handleEvents(
    receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
    receiveOutput: (@Sendable (Output) -> Void)? = nil,
    receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveCancel: (@Sendable () -> Void)? = nil,
    receiveRequest: (@Sendable (Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self,
      hooks: EventHooks(
        subscription: receiveSubscription, output: receiveOutput, completion: receiveCompletion,
        cancel: receiveCancel, request: receiveRequest))
  }
}

@usableFromInline
struct EventHooks<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline let subscription: (@Sendable (any Subscription) -> Void)?
  @usableFromInline let output: (@Sendable (Output) -> Void)?
  @usableFromInline let completion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?
  @usableFromInline let cancel: (@Sendable () -> Void)?
  @usableFromInline let request: (@Sendable (Subscribers.Demand) -> Void)?

  @inlinable
  init(
    subscription: (@Sendable (any Subscription) -> Void)?,
    output: (@Sendable (Output) -> Void)?,
    completion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?,
    cancel: (@Sendable () -> Void)?, request: (@Sendable (Subscribers.Demand) -> Void)?
  ) {
    self.subscription = subscription
    self.output = output
    self.completion = completion
    self.cancel = cancel
    self.request = request
  }
}

extension Publishers {
  /// What `handleEvents` returns.
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    @usableFromInline let hooks: EventHooks<Output, Failure>

    @inlinable @inline(__always)
    init(upstream: Upstream, hooks: EventHooks<Output, Failure>) {
      self.upstream = upstream
      self.hooks = hooks
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: HandleEventsSubscriber(downstream: subscriber, hooks: hooks))
    }
  }
}

@usableFromInline
struct HandleEventsSubscriber<Downstream: Subscriber>: RelaySubscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let hooks: EventHooks<Input, Failure>
  /// Nil where nobody wants to know what comes from below.
  @usableFromInline let subscription: HandledSubscription?

  @inlinable @inline(__always)
  init(downstream: Downstream, hooks: EventHooks<Input, Failure>) {
    self.downstream = downstream
    self.hooks = hooks
    subscription =
      hooks.request == nil && hooks.cancel == nil
      ? nil : HandledSubscription(onRequest: hooks.request, onCancel: hooks.cancel)
  }

  @inlinable
  func receive(subscription source: any Subscription) {
    hooks.subscription?(source)
    subscription?.use(source)
    downstream.receive(subscription: subscription ?? source)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    hooks.output?(input)
    let more = downstream.receive(input)
    if more > .none { hooks.request?(more) }
    return more
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    _ = subscription?.end()
    hooks.completion?(completion)
    downstream.receive(completion: completion)
  }
}

/// Tells of requests, and of the first cancel, before it passes them on. A further cancel passes at
/// once: who calls it while the first is told of hears nothing more when it has returned.
@usableFromInline
final class HandledSubscription: Subscription {
  private struct State {
    var source: (any Subscription)?
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let onRequest: (@Sendable (Subscribers.Demand) -> Void)?
  private let onCancel: (@Sendable () -> Void)?

  @usableFromInline
  init(
    onRequest: (@Sendable (Subscribers.Demand) -> Void)?, onCancel: (@Sendable () -> Void)?
  ) {
    self.onRequest = onRequest
    self.onCancel = onCancel
  }

  @usableFromInline
  func use(_ subscription: any Subscription) { state.withLock { $0.source = subscription } }

  /// Lets go of the source. Nil when it was over before.
  @usableFromInline
  func end() -> (any Subscription)? { state.withLock { $0.source.take() } }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    let source = state.withLock { $0.isCancelled ? nil : $0.source }
    guard let source else { return }
    onRequest?(demand)
    source.request(demand)
  }

  @usableFromInline
  func cancel() {
    let (source, isFirst) = state.withLock { state in
      defer { state.isCancelled = true }
      return (state.source, !state.isCancelled)
    }
    guard let source else { return }
    if isFirst { onCancel?() }
    source.cancel()
    withExtendedLifetime(end()) {}
  }
}

extension HandledSubscription: CustomStringConvertible {
  @usableFromInline var description: String { "HandleEvents" }
}

extension HandleEventsSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "HandleEvents" }
}
