import Synchronization

extension Subscribers {
  /// A subscriber that asks for everything and calls closures.
  ///
  /// It releases the closures when the stream ends or is cancelled. `sink` is the shorter way.
  public final class Sink<Input: Sendable, Failure: Error>: Subscriber, Cancellable {
    private struct Handlers {
      let value: @Sendable (Input) -> Void
      let completion: @Sendable (Subscribers.Completion<Failure>) -> Void
    }

    private let slot = SubscriptionSlot()
    private let handlers: Mutex<Handlers?>

    /// A subscriber that calls `receiveValue` with each value and `receiveCompletion` at the end.
    public init(
      receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping @Sendable (Input) -> Void
    ) {
      handlers = Mutex(Handlers(value: receiveValue, completion: receiveCompletion))
    }

    /// Asks for everything.
    public func receive(subscription: any Subscription) {
      if slot.accept(subscription) { subscription.request(.unlimited) }
    }

    /// Calls the value closure.
    public func receive(_ value: Input) -> Subscribers.Demand {
      handlers.withLock { $0 }?.value(value)
      return .none
    }

    /// Calls the completion closure and releases both.
    public func receive(completion: Subscribers.Completion<Failure>) {
      guard slot.finish() else { return }
      handlers.withLock { $0.take() }?.completion(completion)
    }

    /// Stops the stream and releases both closures.
    public func cancel() {
      let dropped = handlers.withLock { $0.take() }
      slot.cancel()
      _ = dropped
    }
  }
}

extension Subscribers.Sink: CustomStringConvertible {
  /// The name of the type.
  public var description: String { "Sink" }
}
