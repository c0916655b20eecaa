/// Passes what is sent into it on to all who are subscribed at that moment.
///
/// Sending is allowed from any thread: subscribers hear everything one at a time and in one order.
/// A value sent in reply to a value waits until that one has reached everybody. A subscriber
/// without demand misses the value. Fails or finishes when told to; after that new subscribers hear
/// only the end. A subscriber that cancels hears nothing more, whoever is sending.
///
/// ```swift
/// let taps = PassthroughSubject<Int, Never>()
/// let task = taps.sink { print($0) }
/// taps.send(1)
/// ```
public final class PassthroughSubject<Output: Sendable, Failure: Error>: Subject {
  @usableFromInline let core: SubjectCore<Output, Failure>

  /// A subject without subscribers.
  public init() { core = SubjectCore(name: "PassthroughSubject") }

  /// Attaches a subscriber.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    core.attach(subscriber)
  }

  /// Sends a value to all subscribers, on this thread or on the one that is just sending.
  @inlinable @inline(__always)
  public func send(_ value: Output) { core.send(value) }

  /// Ends the stream. What is sent afterwards is dropped.
  public func send(completion: Subscribers.Completion<Failure>) {
    core.send(completion: completion)
  }

  /// Lets an upstream feed this subject, until the subject ends or goes away.
  public func send(subscription: any Subscription) { core.send(subscription: subscription) }
}
