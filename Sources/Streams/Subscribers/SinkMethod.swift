extension Publisher {
  /// Asks for everything and hands each value, and the end, to closures.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called once when the stream ends; not when it is cancelled.
  ///   - receiveValue: Called with each value, where the chain delivers.
  /// - Returns: The running subscription. Cancel or release it, and everything stops.
  ///
  /// ```swift
  /// let task = Just(1).sink { print("end: \($0)") } receiveValue: { print($0) }
  /// ```
  @inlinable @inline(__always)
  public func sink(
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Output) -> Void
  ) -> AnyCancellable {
    let slot = SubscriptionSlot()
    receive(
      subscriber: SinkSubscriber(
        slot: slot, receiveValue: receiveValue, receiveCompletion: receiveCompletion))
    return AnyCancellable(owning: slot)
  }
}

extension Publisher where Failure == Never {
  /// Asks for everything and hands each value to a closure, for streams that cannot fail.
  ///
  /// - Parameter receiveValue: Called with each value, where the chain delivers.
  /// - Returns: The running subscription. Cancel or release it, and everything stops.
  @inlinable @inline(__always)
  public func sink(receiveValue: @escaping @Sendable (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

/// The end of a chain. It lives in the chain alone, so that its closures go when the chain does.
@usableFromInline
struct SinkSubscriber<Input: Sendable, Failure: Error>: Subscriber {
  @usableFromInline let slot: SubscriptionSlot
  @usableFromInline let receiveValue: @Sendable (Input) -> Void
  @usableFromInline let receiveCompletion: @Sendable (Subscribers.Completion<Failure>) -> Void

  @inlinable @inline(__always)
  init(
    slot: SubscriptionSlot, receiveValue: @escaping @Sendable (Input) -> Void,
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void
  ) {
    self.slot = slot
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
  }

  @inlinable @inline(__always)
  var takesEverything: Bool { true }

  @inlinable @inline(__always)
  func receive(subscription: any Subscription) {
    if slot.accept(subscription) { subscription.request(.unlimited) }
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if !slot.isOver { receiveValue(input) }
    return .none
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    if slot.finish() { receiveCompletion(completion) }
  }
}

extension SinkSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "Sink" }
}
