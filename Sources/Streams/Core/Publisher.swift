/// A description of a stream: what it delivers and how it may fail.
///
/// A publisher does nothing until a subscriber attaches. It then sends, one signal at a time and in
/// order: one subscription, at most as many values as were demanded, and at most one completion.
/// Failures are typed; everything that travels is `Sendable`.
///
/// ```swift
/// let task = [1, 2, 3].publisher.map { $0 * 2 }.sink { print($0) }
/// ```
public protocol Publisher<Output, Failure>: Sendable {
  /// The kind of values it sends.
  associatedtype Output: Sendable
  /// The kind of error it may end with; `Never` if it cannot fail.
  associatedtype Failure: Error

  /// Attaches a subscriber. Call `subscribe(_:)` instead; this is what a publisher implements.
  ///
  /// Mark implementations `@inline(__always)` where the publisher hands on to another one: that
  /// is what keeps long chains specialised.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
  /// Attaches `subscriber`: it receives a subscription, asks through it, and then hears values.
  @inlinable @inline(__always)
  public func subscribe<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    receive(subscriber: subscriber)
  }
}

/// Namespace of the publishers that operators return.
public enum Publishers {}
