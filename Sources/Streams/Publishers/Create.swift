/// A stream that a closure feeds, from any thread and at any time.
///
/// The closure is called once per subscriber, on the subscribing thread, with an emitter. Values
/// sent before they are asked for wait, as many as `overflow` allows. What the closure returns is
/// cancelled when the stream is cancelled, or ends.
///
/// ```swift
/// let ticks = Create<Int, Never> { emitter in
///   let timer = DispatchQueue.main.schedule(after: .init(.now()), interval: .seconds(1)) {
///     emitter.send(1)
///   }
///   return timer
/// }
/// ```
public struct Create<Output: Sendable, Failure: Error>: Publisher {
  /// What happens to values that nobody asked for yet.
  public enum Overflow: Sendable {
    /// All wait. Memory is the limit.
    case unbounded
    /// At most so many wait; a further one pushes out the oldest.
    case dropOldest(Int)
    /// At most so many wait; a further one is dropped.
    case dropNewest(Int)
    /// At most so many wait; a further one ends the stream with the error, after those that wait.
    case fail(Int, Failure)
  }

  @usableFromInline let overflow: Overflow
  @usableFromInline let start: @Sendable (Emitter<Output, Failure>) -> (any Cancellable)?

  /// A stream fed by `start`.
  ///
  /// - Parameters:
  ///   - overflow: What happens to values that nobody asked for; all wait unless given.
  ///   - start: Called once per subscriber. It may return something `Cancellable` that stops the
  ///     feeding, or nothing; `emitter.onCancel` is the other way to be told.
  @inlinable
  public init<Stop>(
    overflow: Overflow = .unbounded,
    _ start: @escaping @Sendable (Emitter<Output, Failure>) -> Stop
  ) {
    self.overflow = overflow
    self.start = { start($0) as? any Cancellable }
  }

  /// Attaches a subscriber.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let delivery = SerialDelivery(CreateMachine(overflow: overflow), subscriber)
    delivery.open("Create")
    if delivery.isOver { return }
    let emitter = Emitter<Output, Failure>(
      send: { value in delivery.update { machine, outbox in machine.send(value, &outbox) } },
      end: { completion in delivery.update { _, outbox in outbox.finish(completion) } },
      isOver: { delivery.isOver },
      onCancel: { action in
        delivery.update { machine, _ in machine.cancelActions.append(action) }
      })
    guard let running = start(emitter) else { return }
    if !delivery.update({ machine, _ in machine.running = running }) { running.cancel() }
  }
}

/// Feeds one subscriber of a `Create`. May be used from any thread, and kept.
public struct Emitter<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline let sendValue: @Sendable (Output) -> Void
  @usableFromInline let end: @Sendable (Subscribers.Completion<Failure>) -> Void
  @usableFromInline let isOver: @Sendable () -> Bool
  @usableFromInline let addAction: @Sendable (AnyCancellable) -> Bool

  @inlinable
  init(
    send: @escaping @Sendable (Output) -> Void,
    end: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    isOver: @escaping @Sendable () -> Bool,
    onCancel: @escaping @Sendable (AnyCancellable) -> Bool
  ) {
    sendValue = send
    self.end = end
    self.isOver = isOver
    addAction = onCancel
  }

  /// Whether the stream was cancelled or has ended: nothing more is delivered.
  public var isCancelled: Bool { isOver() }

  /// Sends a value, or queues it until it is asked for.
  @inlinable
  public func send(_ value: Output) { sendValue(value) }

  /// Ends the stream, after what is queued.
  @inlinable
  public func send(completion: Subscribers.Completion<Failure>) { end(completion) }

  /// Runs `action` once when the stream is cancelled or has ended; at once if that was before.
  public func onCancel(_ action: @escaping @Sendable () -> Void) {
    let action = AnyCancellable(action)
    if !addAction(action) { action.cancel() }
  }
}

/// The rules of `Create`: how many values may wait.
@usableFromInline
struct CreateMachine<Value: Sendable, Failure: Error>: DeliveryMachine {
  @usableFromInline let overflow: Create<Value, Failure>.Overflow
  @usableFromInline var running: (any Cancellable)?
  @usableFromInline var cancelActions: [AnyCancellable] = []

  @inlinable
  init(overflow: Create<Value, Failure>.Overflow) { self.overflow = overflow }

  @inlinable
  mutating func send(_ value: Value, _ outbox: inout Outbox<Value, Failure>) {
    if outbox.hasRoom { return outbox.put(value) }
    let unasked = outbox.waitingCount - outbox.demand.count
    switch overflow {
    case .unbounded: outbox.put(value)
    case .dropNewest(let limit): if unasked < limit { outbox.put(value) }
    case .dropOldest(let limit):
      guard limit > 0 else { return }
      if unasked >= limit { outbox.drop(at: outbox.demand.count) }
      outbox.put(value)
    case .fail(let limit, let error):
      if unasked < limit { outbox.put(value) } else { outbox.finish(.failure(error)) }
    }
  }

  @inlinable
  mutating func demandRose(
    by more: Subscribers.Demand, _ outbox: inout Outbox<Value, Failure>
  ) {}

  @inlinable
  mutating func stop(_ outbox: inout Outbox<Value, Failure>) {
    outbox.cancelLater(running.take())
    for action in cancelActions { outbox.cancelLater(action) }
    cancelActions = []
  }
}
