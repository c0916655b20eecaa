/// Sends nothing and does not end: silent until cancelled.
///
/// ```swift
/// let quiet = NeverEnding<Int, Never>()
/// ```
public struct NeverEnding<Output: Sendable, Failure: Error>: Publisher, Equatable {
  /// A silent publisher.
  @inlinable
  public init() {}

  /// Attaches a subscriber.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: Subscriptions.empty)
  }
}
