/// Holds a value, and tells its subscribers that value and each that replaces it.
///
/// Setting is allowed from any thread. A new subscriber hears the newest value delivered so far,
/// and then what follows; one without demand gets the newest when it asks. Fails or finishes when
/// told to; after that new subscribers hear only the end. A subscriber that cancels hears nothing
/// more, whoever is sending.
///
/// ```swift
/// let level = CurrentValueSubject<Int, Never>(1)
/// let task = level.sink { print($0) }  // 1, then 2
/// level.value = 2
/// ```
public final class CurrentValueSubject<Output: Sendable, Failure: Error>: Subject {
  @usableFromInline let core: SubjectCore<Output, Failure>
  private let initial: Output

  /// A subject that holds `value`.
  public init(_ value: Output) {
    initial = value
    core = SubjectCore(
      name: "CurrentValueSubject", keep: 1, initial: value, replaysAfterEnd: false)
  }

  /// The value sent last. Setting it sends it.
  public var value: Output {
    get { core.shared.withLock { $0.current } ?? initial }
    set { send(newValue) }
  }

  /// Attaches a subscriber.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    core.attach(subscriber)
  }

  /// Replaces the value and tells all subscribers, on this thread or on the one just sending.
  public func send(_ value: Output) { core.sendCurrent(value) }

  /// Ends the stream. What is sent afterwards is dropped.
  public func send(completion: Subscribers.Completion<Failure>) {
    core.send(completion: completion)
  }

  /// Lets an upstream feed this subject, until the subject ends or goes away.
  public func send(subscription: any Subscription) { core.send(subscription: subscription) }
}
