/// The receiving end of a stream.
///
/// It hears one signal at a time, in order: a subscription first, then values, no more than it
/// asked for, then at most one completion.
///
/// ```swift
/// struct Printer: Subscriber {
///   func receive(subscription: any Subscription) { subscription.request(.max(1)) }
///   func receive(_ input: Int) -> Subscribers.Demand {
///     print(input)
///     return .max(1)  // one more
///   }
///   func receive(completion: Subscribers.Completion<Never>) { print("the end") }
/// }
/// (1...3).publisher.subscribe(Printer())
/// ```
public protocol Subscriber<Input, Failure>: Sendable {
  /// The kind of values it takes.
  associatedtype Input: Sendable
  /// The kind of error it may hear.
  associatedtype Failure: Error

  /// Hands over the subscription through which values are asked for and the stream is cancelled.
  func receive(subscription: any Subscription)
  /// Delivers a value. Returns how many more are wanted, in addition to what was asked for before.
  func receive(_ input: Input) -> Subscribers.Demand
  /// Tells that the stream ended, well or not. Nothing follows.
  func receive(completion: Subscribers.Completion<Failure>)

  /// Whether it asks for everything as soon as it is subscribed, and by itself ignores what comes
  /// after it cancelled.
  ///
  /// `false` unless implemented. One-value publishers need no subscription object for those that
  /// answer `true`.
  var takesEverything: Bool { get }
}

extension Subscriber {
  /// `false`: values are sent only on demand.
  @inlinable @inline(__always)
  public var takesEverything: Bool { false }
}

extension Subscriber where Input == Void {
  /// Delivers a value that carries nothing. Returns how many more are wanted.
  @inlinable
  public func receive() -> Subscribers.Demand { receive(()) }
}

/// Namespace of subscribers and of the words between them and publishers.
public enum Subscribers {}
