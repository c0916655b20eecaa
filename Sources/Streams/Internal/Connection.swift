import Synchronization

/// The one subscription that feeds a shared stream, from its first subscriber to its last.
@usableFromInline
final class Connection<Input: Sendable, Failure: Error>: Subscriber, Cancellable {
  @usableFromInline let slot = SubscriptionSlot()
  @usableFromInline let core: Mutex<SubjectCore<Input, Failure>?>

  @inlinable
  init(_ core: SubjectCore<Input, Failure>) { self.core = Mutex(core) }

  @inlinable
  var takesEverything: Bool { true }

  @inlinable
  func receive(subscription: any Subscription) {
    if slot.accept(subscription) { subscription.request(.unlimited) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    if !slot.isOver, let core = core.withLock({ $0 }) { core.send(input) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if slot.finish() { core.withLock { $0.take() }?.send(completion: completion) }
  }

  @inlinable
  func cancel() {
    _ = core.withLock { $0.take() }
    slot.cancel()
  }
}
