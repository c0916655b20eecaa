import Synchronization

/// The subscription of a source that only ends: all it needs to know is whether it may still.
@usableFromInline
final class CancelFlag: Subscription {
  @usableFromInline let cancelled = Atomic<Bool>(false)

  @inlinable
  init() {}

  @inlinable
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  @usableFromInline func request(_ demand: Subscribers.Demand) {}
  @usableFromInline func cancel() { cancelled.store(true, ordering: .releasing) }
}

extension Subscriber {
  /// Subscribes and at once ends a subscriber for which there is no value.
  @inlinable
  func end(with completion: Subscribers.Completion<Failure>) {
    if takesEverything {
      receive(subscription: Subscriptions.empty)
      receive(completion: completion)
    } else {
      let flag = CancelFlag()
      receive(subscription: flag)
      if !flag.isCancelled { receive(completion: completion) }
    }
  }
}
