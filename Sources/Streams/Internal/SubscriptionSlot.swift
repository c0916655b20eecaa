import Synchronization

/// Where the end of a chain keeps its subscription, so that cancelling reaches it from any thread.
@usableFromInline
final class SubscriptionSlot: Cancellable {
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

  @inlinable
  func request(_ demand: Subscribers.Demand) {
    held.withLock { $0 }?.request(demand)
  }

  @usableFromInline
  func cancel() {
    over.store(true, ordering: .releasing)
    held.withLock { $0.take() }?.cancel()
  }
}
