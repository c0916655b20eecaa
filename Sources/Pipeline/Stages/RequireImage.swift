import Flow
import Synchronization

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Fails a chain that would end without an image, naming the event that nobody took.
  ///
  /// Passes all events on. Fails with `.incompleteChain` in place of an end without `.image`.
  public func requireImage() -> RequireImage<Self> { RequireImage(upstream: self) }
}

/// What `requireImage()` returns.
public struct RequireImage<Upstream: Publisher>: Publisher
where Upstream.Output == LoadEvent, Upstream.Failure == LoadError {
  /// Events of a load.
  public typealias Output = LoadEvent
  /// Why a load gave no image.
  public typealias Failure = LoadError

  let upstream: Upstream

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == LoadEvent, S.Failure == LoadError {
    upstream.receive(subscriber: RequireImageSubscriber(downstream: subscriber))
  }
}

private final class RequireImageSubscriber<Downstream: Subscriber>: Subscriber
where Downstream.Input == LoadEvent, Downstream.Failure == LoadError {
  private let downstream: Downstream
  private let verdict = Mutex<LoadError?>(.incompleteChain(.nothing, source: "a chain"))

  init(downstream: Downstream) { self.downstream = downstream }

  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  func receive(_ event: LoadEvent) -> Subscribers.Demand {
    switch event {
    case .request(let request): note(.requestNotAnswered, request)
    case .encoded(_, let request): note(.bytesNotDecoded, request)
    case .image: verdict.withLock { $0 = nil }
    case .progress, .preview: break
    }
    return downstream.receive(event)
  }

  func receive(completion: Subscribers.Completion<LoadError>) {
    guard case .finished = completion, let error = verdict.withLock({ $0 }) else {
      return downstream.receive(completion: completion)
    }
    downstream.receive(completion: .failure(error))
  }

  private func note(_ fault: LoadError.ChainFault, _ request: ImageRequest) {
    verdict.withLock { $0 = .incompleteChain(fault, source: request.sourceName) }
  }
}
