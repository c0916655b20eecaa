/// Sends no value: finishes at once, or never.
///
/// Never fails. Ends on the thread that subscribes, without being asked.
///
/// ```swift
/// let task = Empty<Int, Never>().sink { _ in print("finished") } receiveValue: { _ in }
/// ```
public struct Empty<Output: Sendable, Failure: Error>: Publisher, Equatable {
  /// Whether it finishes as soon as it is subscribed; otherwise it stays silent until cancelled.
  public let completeImmediately: Bool

  /// A publisher without values.
  @inlinable
  public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

  /// A publisher without values, of the given types.
  @inlinable
  public init(
    completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type
  ) {
    self.completeImmediately = completeImmediately
  }

  /// Attaches a subscriber.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    if completeImmediately {
      subscriber.end(with: .finished)
    } else {
      subscriber.receive(subscription: Subscriptions.empty)
    }
  }
}
