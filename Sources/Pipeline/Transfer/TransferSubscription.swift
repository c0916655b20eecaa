import Flow
import Synchronization

/// One subscriber's transfer: starts it at the first demand, hands on the latest news, stops it.
///
/// Not generic over the subscriber: looking types up at run time took longer than the delivery.
final class TransferSubscription: Subscription, TransferSink {
  typealias Downstream = AnySubscriber<TransferEvent, DownloadError>

  private struct State {
    var downstream: Downstream?
    var mailbox = TransferMailbox()
    var start: (@Sendable (any TransferSink) -> (@Sendable () -> Void)?)?
    var stop: (@Sendable () -> Void)?
  }

  private let state: Mutex<State>

  /// - Parameter start: Begins the transfer and returns what stops it.
  init(
    downstream: Downstream,
    start: @escaping @Sendable (any TransferSink) -> (@Sendable () -> Void)?
  ) {
    state = Mutex(State(downstream: downstream, start: start))
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let (start, delivers) = state.withLock { state in
      let start = state.start
      state.start = nil
      return (start, state.mailbox.request(demand))
    }
    if delivers { deliver() }
    guard let start, let stop = start(self) else { return }
    let isStillWanted = state.withLock { state in
      guard state.downstream != nil else { return false }
      state.stop = stop
      return true
    }
    if !isStillWanted { stop() }
  }

  func cancel() {
    let dropped = state.withLock { state in
      let dropped = (state.downstream, state.start, state.stop)
      (state.downstream, state.start, state.stop) = (nil, nil, nil)
      return dropped
    }
    dropped.2?()
  }

  func receive(_ event: TransferEvent) {
    if state.withLock({ $0.mailbox.post(event) }) { deliver() }
  }

  func receive(end failure: DownloadError?) {
    let end: Subscribers.Completion<DownloadError> = failure.map { .failure($0) } ?? .finished
    if state.withLock({ $0.mailbox.post(end) }) { deliver() }
  }

  /// Called by whoever was told to: delivers until there is no more to deliver or no demand.
  private func deliver() {
    while let (downstream, delivery) = next() {
      switch delivery {
      case .event(let event):
        let more = downstream.receive(event)
        if more > .none { state.withLock { $0.mailbox.add(more) } }
      case .completion(let completion): downstream.receive(completion: completion)
      }
    }
  }

  private func next() -> (Downstream, TransferMailbox.Delivery)? {
    state.withLock { state in
      guard let delivery = state.mailbox.next(), let downstream = state.downstream else {
        return nil
      }
      if state.mailbox.isFinished { (state.downstream, state.stop) = (nil, nil) }
      return (downstream, delivery)
    }
  }
}

extension TransferSubscription: CustomStringConvertible {
  var description: String { "Transfer" }
}

/// A publisher that begins a transfer for each subscriber.
struct TransferPublisher: Publisher {
  typealias Output = TransferEvent
  typealias Failure = DownloadError

  let start: @Sendable (any TransferSink) -> (@Sendable () -> Void)?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscriber.receive(
      subscription: TransferSubscription(downstream: AnySubscriber(subscriber), start: start))
  }
}
