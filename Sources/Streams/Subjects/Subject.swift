/// A publisher that is fed by hand.
///
/// Sending is allowed from any thread; subscribers hear everything one at a time, in one order.
///
/// ```swift
/// func relay(_ names: some Subject<String, Never>) {
///   names.send("Ada")
///   names.send(completion: .finished)
/// }
/// ```
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to all subscribers.
  func send(_ value: Output)
  /// Ends the stream for all subscribers, once.
  func send(completion: Subscribers.Completion<Failure>)
  /// Lets an upstream feed the subject: asks it for everything, and holds its subscription.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends a signal that carries nothing.
  @inlinable
  public func send() { send(()) }
}

extension Publisher {
  /// Feeds `subject` with all that this publisher sends, its end included.
  ///
  /// - Returns: The running subscription; cancelling it leaves the subject open.
  @inlinable
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
  where S.Output == Output, S.Failure == Failure {
    sink {
      subject.send(completion: $0)
    } receiveValue: {
      subject.send($0)
    }
  }
}
