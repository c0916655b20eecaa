import Flow

/// What a transfer has to say and its subscriber has not heard yet: only the latest of each kind.
///
/// Decides under its owner's lock what is delivered next; the owner delivers outside of it.
struct TransferMailbox {
  enum Delivery {
    case event(TransferEvent)
    case completion(Subscribers.Completion<DownloadError>)
  }

  private var demand = Subscribers.Demand.none
  private var isDelivering = false
  private var progress: LoadProgress?
  private var growing: EncodedImage?
  private var last: TransferEvent?
  private var completion: Subscribers.Completion<DownloadError>?
  private(set) var isFinished = false

  /// Takes an event in. `true` when the caller has to deliver; somebody else does otherwise.
  mutating func post(_ event: TransferEvent) -> Bool {
    switch event {
    case .progress(let latest): progress = latest
    case .bytes(let image) where !image.isComplete: growing = image
    case .bytes, .notModified: last = event
    }
    return beginDelivery()
  }

  /// Takes the end in; `true` as above.
  mutating func post(_ end: Subscribers.Completion<DownloadError>) -> Bool {
    completion = end
    return beginDelivery()
  }

  /// Takes demand in; `true` as above.
  mutating func request(_ more: Subscribers.Demand) -> Bool {
    demand += more
    return beginDelivery()
  }

  /// More demand, answered to a value; whoever delivers goes on.
  mutating func add(_ more: Subscribers.Demand) { demand += more }

  /// What the deliverer sends next. `nil` ends the delivery.
  mutating func next() -> Delivery? {
    if !isFinished {
      if demand > .none, let event = takeEvent() {
        demand -= 1
        return .event(event)
      }
      if let completion, last == nil || completion != .finished {
        isFinished = true
        return .completion(completion)
      }
    }
    isDelivering = false
    return nil
  }

  /// Bytes that grow come before the progress they make; the last bytes come at the very end.
  private mutating func takeEvent() -> TransferEvent? {
    if last == nil, let image = growing {
      growing = nil
      return .bytes(image)
    }
    growing = nil
    if let latest = progress {
      progress = nil
      return .progress(latest)
    }
    defer { last = nil }
    return last
  }

  private mutating func beginDelivery() -> Bool {
    guard !isDelivering, !isFinished else { return false }
    isDelivering = true
    return true
  }
}
