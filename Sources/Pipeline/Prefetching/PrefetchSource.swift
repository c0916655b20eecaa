import Flow
import Synchronization

/// The reading end of one list: asks for a source when told to, and passes it on.
final class PrefetchSource: Subscriber {
  private let subscription = Mutex<(any Subscription)?>(nil)
  private let arrived: @Sendable (ImageRequest) -> Void
  private let exhausted: @Sendable () -> Void

  init(
    arrived: @escaping @Sendable (ImageRequest) -> Void,
    exhausted: @escaping @Sendable () -> Void
  ) {
    self.arrived = arrived
    self.exhausted = exhausted
  }

  func ask() { subscription.withLock { $0 }?.request(.max(1)) }

  func cancel() { subscription.withLock { $0.take() }?.cancel() }

  func receive(subscription: any Subscription) {
    self.subscription.withLock { $0 = subscription }
  }

  func receive(_ request: ImageRequest) -> Subscribers.Demand {
    arrived(request)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    subscription.withLock { $0 = nil }
    exhausted()
  }
}
