/// The link from a subscriber back to its publisher.
///
/// Both calls may come from any thread, also from inside a signal. After `cancel()` the publisher
/// sends nothing more and releases the subscriber.
public protocol Subscription: Cancellable, AnyObject {
  /// Asks for `demand` more values, in addition to all asked for before. `.none` changes nothing.
  func request(_ demand: Subscribers.Demand)
}

/// Ready-made subscriptions.
public enum Subscriptions {
  /// A subscription that does nothing: for publishers that have nothing to give.
  @inlinable
  public static var empty: any Subscription { EmptySubscription.shared }
}

@usableFromInline
final class EmptySubscription: Subscription, CustomStringConvertible {
  @usableFromInline static let shared = EmptySubscription()

  @usableFromInline func request(_ demand: Subscribers.Demand) {}
  @usableFromInline func cancel() {}
  @usableFromInline var description: String { "Empty" }
}
