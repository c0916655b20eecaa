/// Passes values on and repeats the newest of them to those who come late, also after its end.
///
/// Sending is allowed from any thread. A subscriber without demand is kept the newest values, as
/// many as the subject repeats; older ones it misses. Fails or finishes when told to. A subscriber
/// that cancels hears nothing more, whoever is sending.
///
/// ```swift
/// let steps = ReplaySubject<Int, Never>(bufferSize: 2)
/// for step in 1...3 { steps.send(step) }
/// let task = steps.sink { print($0) }  // 2, 3
/// ```
public final class ReplaySubject<Output: Sendable, Failure: Error>: Subject {
  @usableFromInline let core: SubjectCore<Output, Failure>

  /// A subject that repeats the newest `bufferSize` values; all of them unless given.
  public init(bufferSize: Int = .max) {
    core = SubjectCore(name: "ReplaySubject", keep: Swift.max(0, bufferSize))
  }

  /// Attaches a subscriber.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    core.attach(subscriber)
  }

  /// Sends a value to all subscribers and remembers it.
  public func send(_ value: Output) { core.send(value) }

  /// Ends the stream. What is sent afterwards is dropped.
  public func send(completion: Subscribers.Completion<Failure>) {
    core.send(completion: completion)
  }

  /// Lets an upstream feed this subject, until the subject ends or goes away.
  public func send(subscription: any Subscription) { core.send(subscription: subscription) }
}
