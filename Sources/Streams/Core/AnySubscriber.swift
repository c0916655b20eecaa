/// A subscriber whose type tells only what it takes.
///
/// ```swift
/// let twoAtMost = AnySubscriber<Int, Never>(
///   receiveSubscription: { $0.request(.max(2)) },
///   receiveValue: { value in
///     print(value)
///     return .none
///   })
/// (1...9).publisher.subscribe(twoAtMost)  // prints 1, 2
/// ```
public struct AnySubscriber<Input: Sendable, Failure: Error>: Subscriber {
  @usableFromInline let takeSubscription: @Sendable (any Subscription) -> Void
  @usableFromInline let takeValue: @Sendable (Input) -> Subscribers.Demand
  @usableFromInline let takeCompletion: @Sendable (Subscribers.Completion<Failure>) -> Void
  /// What the wrapped subscriber says.
  public let takesEverything: Bool

  /// Wraps `subscriber`; an erased one is not wrapped again.
  @inlinable @inline(__always)
  public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
    if let erased = subscriber as? AnySubscriber<Input, Failure> {
      self = erased
      return
    }
    // Three closures over one object, formed where the type is concrete.
    let box = DownstreamBox(subscriber)
    takeSubscription = { box.downstream.receive(subscription: $0) }
    takeValue = { box.downstream.receive($0) }
    takeCompletion = { box.downstream.receive(completion: $0) }
    takesEverything = subscriber.takesEverything
  }

  /// A subscriber made of closures. One that is not given does nothing; without `receiveValue`
  /// no more values are asked for.
  public init(
    receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
    receiveValue: (@Sendable (Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    takeSubscription = receiveSubscription ?? { _ in }
    takeValue = receiveValue ?? { _ in .none }
    takeCompletion = receiveCompletion ?? { _ in }
    takesEverything = false
  }

  /// Hands the subscription to the wrapped subscriber.
  @inlinable
  public func receive(subscription: any Subscription) { takeSubscription(subscription) }

  /// Delivers a value to the wrapped subscriber.
  @inlinable
  public func receive(_ input: Input) -> Subscribers.Demand { takeValue(input) }

  /// Tells the wrapped subscriber that the stream ended.
  @inlinable
  public func receive(completion: Subscribers.Completion<Failure>) { takeCompletion(completion) }
}

extension AnySubscriber: CustomStringConvertible {
  /// The name of the type.
  public var description: String { "AnySubscriber" }
}
