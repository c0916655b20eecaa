import Synchronization

/// Holds one value until it is asked for.
// SAFETY: `value` and `downstream` belong to whoever moves `phase` away from waiting: only one can.
@usableFromInline
final class OneValueSubscription<Downstream: Subscriber>: Subscription, @unchecked Sendable,
  CustomStringConvertible
{
  @usableFromInline
  enum Phase: Int, AtomicRepresentable {
    /// Nobody asked; → sending, over.
    case waiting
    /// The value is on its way; → over.
    case sending
    case over
  }

  @usableFromInline let phase = Atomic<Phase>(.waiting)
  @exclusivity(unchecked) @usableFromInline var pending: (value: Downstream.Input, to: Downstream)?

  @inlinable
  init(_ value: Downstream.Input, to downstream: Downstream) { pending = (value, downstream) }

  /// Sends at once where no demand has to be waited for; otherwise makes a subscription.
  @inlinable @inline(__always)
  static func attach(_ downstream: Downstream, _ value: Downstream.Input) {
    if downstream.takesEverything {
      downstream.receive(subscription: Subscriptions.empty)
      _ = downstream.receive(value)
      downstream.receive(completion: .finished)
    } else {
      downstream.receive(subscription: OneValueSubscription(value, to: downstream))
    }
  }

  @inlinable
  func request(_ demand: Subscribers.Demand) {
    guard demand > .none, move(from: .waiting, to: .sending), let (value, to) = pending.take()
    else { return }
    _ = to.receive(value)
    if move(from: .sending, to: .over) { to.receive(completion: .finished) }
  }

  @inlinable
  func cancel() {
    if phase.exchange(.over, ordering: .acquiringAndReleasing) == .waiting { pending = nil }
  }

  @inlinable
  func move(from: Phase, to: Phase) -> Bool {
    phase.compareExchange(expected: from, desired: to, ordering: .acquiringAndReleasing).exchanged
  }

  @usableFromInline var description: String { "Just" }
}
