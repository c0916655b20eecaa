/// Lets an operator end its stream by itself: holds the subscription that it has to cancel then.
// SAFETY: touched only by the signals of one subscription, which arrive one at a time.
@usableFromInline
final class Brake: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var subscription: (any Subscription)?
  @exclusivity(unchecked) @usableFromInline var isOver = false

  @inlinable
  init() {}

  /// Ends the stream from within: cancels the source.
  @inlinable
  func stop() {
    isOver = true
    subscription.take()?.cancel()
  }

  /// Notes that the source ended. Returns false when the stream was over before.
  @inlinable
  func end() -> Bool {
    guard !isOver else { return false }
    isOver = true
    subscription = nil
    return true
  }
}

/// A relay that may end the stream by itself.
@usableFromInline
protocol BrakingSubscriber: RelaySubscriber {
  var brake: Brake { get }
}

extension BrakingSubscriber {
  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    brake.subscription = subscription
    downstream.receive(subscription: subscription)
  }
}

extension BrakingSubscriber where Failure == Downstream.Failure {
  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    if brake.end() { downstream.receive(completion: completion) }
  }
}

/// Turns an error that cannot occur into any type.
@inlinable
func impossible<T>(_ never: Never) -> T {}
