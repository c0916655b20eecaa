import Synchronization

extension Publisher {
  /// The values as an asynchronous sequence.
  ///
  /// Iterating subscribes, and asks for one value at a time: a slow loop holds nothing. Throws the
  /// stream's error; leaving the loop or cancelling the task cancels the stream. It costs no hop
  /// where values are at hand. Put `map` and the like before it rather than after.
  ///
  /// ```swift
  /// for await number in (1...3).publisher.values { print(number) }
  /// ```
  @inlinable
  public var values: AsyncPublisher<Output, Failure> { AsyncPublisher(self) }

  /// The first value; nil when the stream ends, or the task is cancelled, without one.
  ///
  /// Throws the stream's error. Cancels the stream as soon as it has the value.
  ///
  /// ```swift
  /// let image = try await load(url).first()
  /// ```
  @inlinable
  public func first() async throws(Failure) -> Output? {
    var iterator = values.makeAsyncIterator()
    return try await iterator.next(isolation: #isolation)
  }
}

/// A stream as an asynchronous sequence, asked for one value at a time.
///
/// Each iterator subscribes anew, and cancels when it goes away. It throws what the stream fails
/// with, or nothing where that is `Never`.
///
/// ```swift
/// var numbers = (1...3).publisher.values.makeAsyncIterator()
/// let first = await numbers.next()  // 1
/// ```
public struct AsyncPublisher<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  @usableFromInline let subscribe: @Sendable (AsyncSlot<Element, Failure>) -> Void

  /// The values of `publisher`.
  @inlinable
  public init<P: Publisher>(_ publisher: P) where P.Output == Element, P.Failure == Failure {
    subscribe = { publisher.receive(subscriber: $0) }
  }

  /// Subscribes.
  @inlinable
  public func makeAsyncIterator() -> Iterator {
    let slot = AsyncSlot<Element, Failure>()
    subscribe(slot)
    return Iterator(slot)
  }

  /// One subscription; releasing it cancels.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline
    final class Owner {
      @usableFromInline let slot: AsyncSlot<Element, Failure>
      @inlinable
      init(_ slot: AsyncSlot<Element, Failure>) { self.slot = slot }
      @inlinable
      deinit { slot.cancel() }
    }

    @usableFromInline let owner: Owner

    @inlinable
    init(_ slot: AsyncSlot<Element, Failure>) { owner = Owner(slot) }

    /// The next value; nil after the last one or when the task is cancelled.
    @inlinable
    public mutating func next(isolation: isolated (any Actor)?) async throws(Failure) -> Element? {
      try await owner.slot.next(isolation: isolation)
    }

    /// The next value; nil after the last one or when the task is cancelled.
    @inlinable
    public mutating func next() async throws(Failure) -> Element? {
      try await owner.slot.next(isolation: nil)
    }
  }
}

/// Holds at most one value or one waiting loop.
@usableFromInline
final class AsyncSlot<Input: Sendable, Failure: Error>: Subscriber, Cancellable {
  @usableFromInline typealias Answer = Result<Input?, Failure>

  @usableFromInline
  struct State: Sendable {
    @usableFromInline var subscription: (any Subscription)?
    @usableFromInline var wanted = false
    @usableFromInline var value: Input?
    @usableFromInline var end: Answer?
    @usableFromInline var waiting: UnsafeContinuation<Answer, Never>?

    @inlinable
    init() {}
  }

  @usableFromInline let state = Mutex(State())

  @inlinable
  init() {}

  @inlinable
  func receive(subscription: any Subscription) {
    let verdict = state.withLock { state -> (keep: Bool, wanted: Bool) in
      guard state.subscription == nil, state.end == nil else { return (false, false) }
      state.subscription = subscription
      return (true, state.wanted)
    }
    if !verdict.keep { return subscription.cancel() }
    if verdict.wanted { subscription.request(.max(1)) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    let waiting = state.withLock { state -> UnsafeContinuation<Answer, Never>? in
      state.wanted = false
      if state.end != nil { return nil }
      if let waiting = state.waiting.take() { return waiting }
      state.value = input
      return nil
    }
    waiting?.resume(returning: .success(input))
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: end(.success(nil))
    case .failure(let error): end(.failure(error))
    }
  }

  @inlinable
  func cancel() { end(.success(nil))?.cancel() }

  @inlinable @discardableResult
  func end(_ answer: Answer) -> (any Subscription)? {
    let (waiting, subscription) = state.withLock { state in
      if state.end == nil { state.end = answer }
      let waiting = state.waiting.take()
      if waiting != nil { state.end = .success(nil) }
      return (waiting, state.subscription.take())
    }
    waiting?.resume(returning: answer)
    return subscription
  }

  /// What is at hand: a value, or the end, which is told once.
  @inlinable
  static func answer(_ state: inout State) -> Answer? {
    if let value = state.value.take() { return .success(value) }
    guard let end = state.end else { return nil }
    state.end = .success(nil)
    return end
  }

  /// Asks for a value unless one is at hand or under way.
  @inlinable
  func ask() {
    let subscription = state.withLock { state -> (any Subscription)? in
      if state.value != nil || state.end != nil || state.wanted { return nil }
      state.wanted = true
      return state.subscription
    }
    subscription?.request(.max(1))
  }

  @inlinable
  func next(isolation: isolated (any Actor)?) async throws(Failure) -> Input? {
    if Task.isCancelled { cancel() }
    ask()
    if let answer = state.withLock({ Self.answer(&$0) }) { return try answer.get() }
    let answer = await withTaskCancellationHandler {
      await withUnsafeContinuation(isolation: isolation) { continuation in
        let answer = state.withLock { state -> Answer? in
          if let answer = Self.answer(&state) { return answer }
          state.waiting = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      cancel()
    }
    return try answer.get()
  }
}
