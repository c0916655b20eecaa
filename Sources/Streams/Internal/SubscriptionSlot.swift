import Synchronization

/// Keeps a subscription so that cancelling reaches it from any thread, and so that an operator can
/// end its stream by itself.
@usableFromInline
final class SubscriptionSlot: Subscription, Canceller {
  @usableFromInline let over = Atomic<Bool>(false)
  @usableFromInline let held = Mutex<(any Subscription)?>(nil)

  @inlinable @inline(__always)
  init() {}

  /// Whether the stream ended or was cancelled.
  @inlinable @inline(__always)
  var isOver: Bool { over.load(ordering: .relaxed) }

  /// Keeps the first subscription; any other is cancelled. Returns whether it was kept.
  @inlinable
  func accept(_ subscription: any Subscription) -> Bool {
    let accepted = held.withLock { held in
      guard held == nil, !over.load(ordering: .relaxed) else { return false }
      held = subscription
      return true
    }
    if !accepted { subscription.cancel() }
    return accepted
  }

  /// Marks the end. Returns false when it was over before.
  @inlinable
  func finish() -> Bool {
    guard !over.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    let dropped = held.withLock { $0.take() }
    _ = dropped
    return true
  }

  /// Ends the stream from within: cancels the source. Returns false when it was over before.
  @inlinable
  func stop() -> Bool {
    guard !over.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    held.withLock { $0.take() }?.cancel()
    return true
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    held.withLock { $0 }?.request(demand)
  }

  @usableFromInline
  func cancel() {
    over.store(true, ordering: .releasing)
    held.withLock { $0.take() }?.cancel()
  }
}

extension SubscriptionSlot: CustomStringConvertible {
  @usableFromInline var description: String { "Subscription" }
}

/// A relay that may end the stream by itself.
@usableFromInline
protocol StoppingSubscriber: RelaySubscriber {
  var slot: SubscriptionSlot { get }
}

extension StoppingSubscriber {
  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    if slot.accept(subscription) { downstream.receive(subscription: slot) }
  }
}

extension StoppingSubscriber where Failure == Downstream.Failure {
  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    if slot.finish() { downstream.receive(completion: completion) }
  }
}
