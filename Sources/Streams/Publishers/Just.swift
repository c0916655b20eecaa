/// Sends one value to each subscriber that asks, then finishes. Never fails.
///
/// Delivers on the thread that asks. Cancelling before asking leaves the value unsent.
///
/// ```swift
/// let task = Just(1).sink { print($0) }  // prints 1
/// ```
public struct Just<Output: Sendable>: Publisher {
  /// It cannot fail.
  public typealias Failure = Never

  /// The value it sends.
  public let output: Output

  /// A publisher of `output`.
  @inlinable @inline(__always)
  public init(_ output: Output) { self.output = output }

  /// Attaches a subscriber.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Never {
    OneValueSubscription.attach(subscriber, output)
  }
}

extension Just: Equatable where Output: Equatable {}
