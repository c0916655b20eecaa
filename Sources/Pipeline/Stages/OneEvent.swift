import Flow
import Synchronization

/// One event, then the end, on the thread that asks.
///
/// `Just` does the same for any value, and looks its types up at run time to do it.
struct OneEvent: Publisher {
  typealias Output = LoadEvent
  typealias Failure = LoadError

  let event: LoadEvent

  func receive<S: Subscriber>(subscriber: S)
  where S.Input == LoadEvent, S.Failure == LoadError {
    if subscriber.takesEverything {
      subscriber.receive(subscription: Subscriptions.empty)
      _ = subscriber.receive(event)
      subscriber.receive(completion: .finished)
    } else {
      subscriber.receive(
        subscription: OneEventSubscription(event, to: AnySubscriber(subscriber)))
    }
  }
}

private final class OneEventSubscription: Subscription {
  private typealias Waiting = (event: LoadEvent, downstream: AnySubscriber<LoadEvent, LoadError>)

  private let waiting: Mutex<Waiting?>
  private let isCancelled = Atomic(false)

  init(_ event: LoadEvent, to downstream: AnySubscriber<LoadEvent, LoadError>) {
    waiting = Mutex((event, downstream))
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none, let (event, downstream) = waiting.withLock({ $0.take() }) else { return }
    _ = downstream.receive(event)
    if !isCancelled.load(ordering: .acquiring) { downstream.receive(completion: .finished) }
  }

  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    let dropped = waiting.withLock { $0.take() }
    withExtendedLifetime(dropped) {}
  }
}

extension OneEventSubscription: CustomStringConvertible {
  var description: String { "Load" }
}
