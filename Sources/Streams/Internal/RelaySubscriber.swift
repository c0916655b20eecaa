/// A subscriber inside a one-source operator that lets the subscription pass.
///
/// Conformers are types of their own, generic over their input and their downstream only: a type
/// that named its publisher would grow with the chain, and the compiler would stop specialising.
@usableFromInline
protocol RelaySubscriber: Subscriber {
  associatedtype Downstream: Subscriber
  var downstream: Downstream { get }
}

extension RelaySubscriber {
  @inlinable @inline(__always)
  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable @inline(__always)
  var takesEverything: Bool { downstream.takesEverything }
}

extension RelaySubscriber where Failure == Downstream.Failure {
  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    downstream.receive(completion: completion)
  }
}
