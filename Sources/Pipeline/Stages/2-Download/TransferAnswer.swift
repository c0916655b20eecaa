import Flow
import Synchronization

/// A transfer as the answer to a request: its progress and its bytes.
///
/// Fails with `.download`, also when a transfer ends well without having said that its bytes are all.
struct TransferAnswer: Publisher {
  typealias Output = LoadEvent
  typealias Failure = LoadError

  let transfer: AnyPublisher<TransferEvent, DownloadError>
  let request: ImageRequest

  func receive<S: Subscriber>(subscriber: S)
  where S.Input == LoadEvent, S.Failure == LoadError {
    transfer.receive(
      subscriber: TransferAnswerSubscriber(request, for: AnySubscriber(subscriber)))
  }
}

private final class TransferAnswerSubscriber: Subscriber {
  private enum Phase: Sendable {
    /// Bytes so far; → complete.
    case growing(Int)
    case complete
  }

  private let request: ImageRequest
  private let downstream: AnySubscriber<LoadEvent, LoadError>
  private let start = ContinuousClock.now
  private let phase = Mutex(Phase.growing(0))

  init(_ request: ImageRequest, for downstream: AnySubscriber<LoadEvent, LoadError>) {
    self.request = request
    self.downstream = downstream
  }

  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  func receive(_ event: TransferEvent) -> Subscribers.Demand {
    switch event {
    case .progress(let progress): return downstream.receive(.progress(progress))
    case .bytes(var encoded):
      phase.withLock { $0 = encoded.isComplete ? .complete : .growing(encoded.bytes.count) }
      var request = request.measuring(\.download, since: start)
      request.timeline.byteCount = encoded.bytes.count
      if request.caching.read.contains(.disk) { encoded.verdict = .miss }
      return downstream.receive(.encoded(encoded, for: request))
    case .notModified:
      // Nobody asked for that: it says nothing, and another event is owed.
      return .max(1)
    }
  }

  func receive(completion: Subscribers.Completion<DownloadError>) {
    switch completion {
    case .failure(let error): fail(error)
    case .finished:
      guard case .growing(let count) = phase.withLock({ $0 }) else {
        return downstream.receive(completion: .finished)
      }
      fail(.incomplete(received: count, expected: nil))
    }
  }

  private func fail(_ error: DownloadError) {
    downstream.receive(completion: .failure(.download(error, source: request.sourceName)))
  }
}
