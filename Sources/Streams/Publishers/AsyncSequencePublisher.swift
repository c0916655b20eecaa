extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// The elements as a stream: each subscriber iterates anew, in a task of its own.
  ///
  /// The sequence is asked for an element when one is demanded. Fails with what the sequence
  /// throws. Delivers on the task; cancel cancels the task.
  ///
  /// ```swift
  /// let task = ticks.asyncPublisher.sink { print($0) }
  /// ```
  public var asyncPublisher: Publishers.FromAsyncSequence<Self> {
    Publishers.FromAsyncSequence(self)
  }
}

extension Publishers {
  /// What `asyncPublisher` returns.
  public struct FromAsyncSequence<Elements: AsyncSequence & Sendable>: Publisher
  where Elements.Element: Sendable {
    /// The elements' type.
    public typealias Output = Elements.Element
    /// What the sequence throws.
    public typealias Failure = Elements.Failure

    /// The sequence.
    public let elements: Elements

    /// A publisher of `elements`.
    public init(_ elements: Elements) { self.elements = elements }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let elements = elements
      let delivery = SerialDelivery(AsyncSourceMachine<Output, Failure>(), subscriber)
      delivery.open("AsyncSequence")
      if delivery.isOver { return }
      let task = Task {
        do throws(Failure) {
          var iterator = elements.makeAsyncIterator()
          while await AsyncSourceMachine.turn(of: delivery) {
            guard let value = try await iterator.next(isolation: nil) else { break }
            delivery.update { _, outbox in outbox.put(value) }
          }
          delivery.update { _, outbox in outbox.finish(.finished) }
        } catch {
          delivery.update { _, outbox in outbox.finish(.failure(error)) }
        }
      }
      let isOpen = delivery.update { machine, _ in machine.task = task }
      if !isOpen { task.cancel() }
    }
  }
}

/// Lets the task that iterates wait for demand.
@usableFromInline
struct AsyncSourceMachine<Value: Sendable, Failure: Error>: DeliveryMachine {
  @usableFromInline var task: Task<Void, Never>?
  @usableFromInline var waiting: UnsafeContinuation<Bool, Never>?

  @inlinable
  init() {}

  @inlinable
  mutating func demandRose(
    by more: Subscribers.Demand, _ outbox: inout Outbox<Value, Failure>
  ) {
    if let waiting = waiting.take() { outbox.effects.run { waiting.resume(returning: true) } }
  }

  @inlinable
  mutating func stop(_ outbox: inout Outbox<Value, Failure>) {
    let (task, waiting) = (task.take(), waiting.take())
    outbox.cancelLater(
      AnyCancellable {
        waiting?.resume(returning: false)
        task?.cancel()
      })
  }

  /// Waits until an element is wanted. Returns false when the stream is over.
  @inlinable
  static func turn<Downstream: Subscriber>(
    of delivery: SerialDelivery<Self, Downstream>
  ) async -> Bool {
    await withUnsafeContinuation { continuation in
      var answer: Bool? = false
      delivery.update { machine, outbox in
        answer = outbox.hasRoom ? true : nil
        if answer == nil { machine.waiting = continuation }
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }
}
