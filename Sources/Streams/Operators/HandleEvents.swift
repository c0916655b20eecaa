extension Publisher {
  /// Calls closures as things pass, and changes nothing.
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

  @inlinable @inline(__always)
  init(downstream: Downstream, hooks: EventHooks<Input, Failure>) {
    self.downstream = downstream
    self.hooks = hooks
  }

  @inlinable
  func receive(subscription: any Subscription) {
    hooks.subscription?(subscription)
    let (onRequest, onCancel) = (hooks.request, hooks.cancel)
    if onRequest == nil, onCancel == nil {
      return downstream.receive(subscription: subscription)
    }
    downstream.receive(
      subscription: ClosureSubscription("HandleEvents") {
        onRequest?($0)
        subscription.request($0)
      } cancel: {
        onCancel?()
        subscription.cancel()
      })
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
    hooks.completion?(completion)
    downstream.receive(completion: completion)
  }
}

extension HandleEventsSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "HandleEvents" }
}
