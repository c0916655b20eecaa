import Flow
import Synchronization

/// The reading end of one list: asks for a source when told to, and passes it on.
final class PrefetchSource: Subscriber {
  private struct State {
    var subscription: (any Subscription)?
    /// Whether a source is wanted as soon as there is somebody to ask.
    var isAsked = false
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let arrived: @Sendable (ImageRequest) -> Void
  private let exhausted: @Sendable () -> Void

  init(
    arrived: @escaping @Sendable (ImageRequest) -> Void,
    exhausted: @escaping @Sendable () -> Void
  ) {
    self.arrived = arrived
    self.exhausted = exhausted
  }

  func ask() {
    let subscription = state.withLock { state in
      if state.subscription == nil { state.isAsked = true }
      return state.subscription
    }
    subscription?.request(.max(1))
  }

  func cancel() {
    let subscription = state.withLock { state in
      state.isCancelled = true
      return state.subscription.take()
    }
    subscription?.cancel()
  }

  func receive(subscription: any Subscription) {
    let (isAsked, isCancelled) = state.withLock { state in
      if !state.isCancelled { state.subscription = subscription }
      return (state.isAsked, state.isCancelled)
    }
    if isCancelled { return subscription.cancel() }
    if isAsked { subscription.request(.max(1)) }
  }

  func receive(_ request: ImageRequest) -> Subscribers.Demand {
    arrived(request)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    state.withLock { $0.subscription = nil }
    exhausted()
  }
}
