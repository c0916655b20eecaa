/// A publisher that starts when it is told to, not when it is subscribed.
///
/// Who subscribes before the start hears all of it. Cancelling the connection stops the source.
///
/// ```swift
/// let numbers = (1...3).publisher.makeConnectable()
/// let sum = numbers.reduce(0, +).sink { print("sum \($0)") }
/// let count = numbers.count().sink { print("count \($0)") }
/// let connection = numbers.connect()  // both hear the same run
/// ```
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts, on this thread. Cancelling, or releasing in an `AnyCancellable`, what it returns stops
  /// again.
  func connect() -> any Cancellable
}
