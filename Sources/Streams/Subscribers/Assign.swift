extension Publisher where Failure == Never {
  /// Sets a property of `object` to each value of a stream that cannot fail.
  ///
  /// Holds the object strongly until the stream ends or is cancelled. Delivers where the stream does.
  ///
  /// - Returns: The running subscription. Cancel or release it, and everything stops.
  ///
  /// ```swift
  /// let task = titles.assign(to: \.title, on: model)
  /// ```
  @inlinable
  public func assign<Root: AnyObject & Sendable>(
    to keyPath: ReferenceWritableKeyPath<Root, Output> & Sendable, on object: Root
  ) -> AnyCancellable {
    sink { object[keyPath: keyPath] = $0 }
  }

  /// Sets a property of `object` to each value, without keeping the object alive: the stream is
  /// cancelled when a value comes and the object is gone.
  ///
  /// - Returns: The running subscription. Cancel or release it, and everything stops.
  ///
  /// ```swift
  /// let task = titles.assign(to: \.title, onWeak: model)
  /// ```
  @inlinable
  public func assign<Root: AnyObject & Sendable>(
    to keyPath: ReferenceWritableKeyPath<Root, Output> & Sendable, onWeak object: Root
  ) -> AnyCancellable {
    let slot = SubscriptionSlot()
    receive(
      subscriber: SinkSubscriber(slot: slot) { [weak object, weak slot] value in
        if let object { object[keyPath: keyPath] = value } else { slot?.cancel() }
      } receiveCompletion: { _ in
      })
    return AnyCancellable(owning: slot)
  }

  /// Sets a property of an object that lives on the main actor. Values that arrive on the main
  /// queue are set at once, others as soon as it is free; the object is not kept alive.
  ///
  /// - Returns: The running subscription. Cancel or release it, and everything stops.
  ///
  /// ```swift
  /// let task = titles.receive(on: queue).assign(onMain: model, \.title)
  /// ```
  public func assign<Root: AnyObject & Sendable>(
    onMain object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Output>
  ) -> AnyCancellable {
    // SAFETY: a key path never changes, and this one is used on the main actor alone. Those of the
    // main actor's properties are not `Sendable`, so that it can not be asked for.
    nonisolated(unsafe) let keyPath = keyPath
    return attachOnMain(to: object) {
      $0[keyPath: keyPath] = $1
    } completion: { _, _ in
    }
  }
}
