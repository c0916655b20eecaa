extension Publisher {
  /// Asks for everything and hands each value, and the end, to closures on the main actor.
  ///
  /// What arrives on the main queue is handed on at once, all else as soon as that is free. The
  /// object is not kept alive; once it is gone the stream is cancelled.
  ///
  /// - Parameters:
  ///   - object: Whom it is for: a model or a view. Given to the closures.
  ///   - receiveCompletion: Called once when the stream ends; not when it is cancelled.
  ///   - receiveValue: Called with each value.
  /// - Returns: The running subscription. Cancel or release it, and everything stops.
  ///
  /// ```swift
  /// let task = titles.sink(onMain: model) { model, end in
  ///   model.title = "done"
  /// } receiveValue: { model, title in
  ///   model.title = title
  /// }
  /// ```
  public func sink<Root: AnyObject & Sendable>(
    onMain object: Root,
    receiveCompletion: @escaping @MainActor (Root, Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @MainActor (Root, Output) -> Void
  ) -> AnyCancellable {
    attachOnMain(to: object, value: receiveValue, completion: receiveCompletion)
  }

  func attachOnMain<Root: AnyObject & Sendable>(
    to object: Root, value receiveValue: @escaping @MainActor (Root, Output) -> Void,
    completion receiveCompletion:
      @escaping @MainActor (Root, Subscribers.Completion<Failure>) -> Void
  ) -> AnyCancellable {
    let slot = SubscriptionSlot()
    receive(on: MainActorScheduler.shared).receive(
      subscriber: SinkSubscriber(slot: slot) { [weak object, weak slot] value in
        MainActor.assumeIsolated {
          if let object { receiveValue(object, value) } else { slot?.cancel() }
        }
      } receiveCompletion: { [weak object] completion in
        MainActor.assumeIsolated {
          if let object { receiveCompletion(object, completion) }
        }
      })
    return AnyCancellable(owning: slot)
  }
}

extension Publisher where Failure == Never {
  /// The same for streams that cannot fail, and whose end is of no interest.
  ///
  /// ```swift
  /// let task = titles.sink(onMain: model) { model, title in model.title = title }
  /// ```
  public func sink<Root: AnyObject & Sendable>(
    onMain object: Root, receiveValue: @escaping @MainActor (Root, Output) -> Void
  ) -> AnyCancellable {
    attachOnMain(to: object, value: receiveValue) { _, _ in }
  }
}
