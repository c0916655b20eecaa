extension Publisher {
  /// Holds values until they are asked for, up to `size` of them.
  ///
  /// Fails and finishes after what is held. Delivers where the source sends, or where values are
  /// asked for. Cancel drops what is held and stops the source.
  ///
  /// - Parameters:
  ///   - size: At least one; anything less is a programming error.
  ///   - prefetch: Whether the source is asked for everything, or for as many as there is room.
  ///   - whenFull: What happens to a value for which there is no room.
  ///
  /// ```swift
  /// frames.buffer(size: 3, prefetch: .byRequest, whenFull: .dropOldest)
  /// ```
  @inlinable @inline(__always)
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy,
    whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> {
    Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }
}

extension Publishers {
  /// How a buffer asks its source.
  public enum PrefetchStrategy: Sendable, Equatable {
    /// For as many values as there is room.
    case keepFull
    /// For everything at once.
    case byRequest
  }

  /// What a buffer does with a value for which there is no room.
  public enum BufferingStrategy<Failure: Error>: Sendable {
    /// It is dropped.
    case dropNewest
    /// It pushes out the oldest.
    case dropOldest
    /// The stream fails, after what is held, with the error that the closure returns.
    case customError(@Sendable () -> Failure)
  }

  /// What `buffer` returns.
  public struct Buffer<Upstream: Publisher>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// How many values are held.
    public let size: Int
    /// How the source is asked.
    public let prefetch: PrefetchStrategy
    /// What happens to a value for which there is no room.
    public let whenFull: BufferingStrategy<Failure>

    /// `upstream`, with a buffer behind it.
    @inlinable @inline(__always)
    public init(
      upstream: Upstream, size: Int, prefetch: PrefetchStrategy,
      whenFull: BufferingStrategy<Failure>
    ) {
      precondition(size > 0, "a buffer holds at least one value")
      self.upstream = upstream
      self.size = size
      self.prefetch = prefetch
      self.whenFull = whenFull
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let machine = BufferMachine<Output, Failure>(
        size: size, prefetch: prefetch, whenFull: whenFull)
      SingleStart.begin("Buffer", machine, subscriber) { upstream.receive(subscriber: $0) }
    }
  }
}

/// The rules of `buffer`.
@usableFromInline
struct BufferMachine<Value: Sendable, Failure: Error>: SingleMachine {
  @usableFromInline let size: Int
  @usableFromInline let prefetch: Publishers.PrefetchStrategy
  @usableFromInline let whenFull: Publishers.BufferingStrategy<Failure>
  @usableFromInline var source: (any Subscription)?
  @usableFromInline var held = Queue<Value>()
  @usableFromInline var end: Subscribers.Completion<Failure>?

  @inlinable
  init(
    size: Int, prefetch: Publishers.PrefetchStrategy,
    whenFull: Publishers.BufferingStrategy<Failure>
  ) {
    self.size = size
    self.prefetch = prefetch
    self.whenFull = whenFull
  }

  @inlinable
  mutating func started(_ outbox: inout Outbox<Value, Failure>) {
    outbox.effects.request(source, prefetch == .keepFull ? .max(size) : .unlimited)
  }

  @inlinable
  mutating func received(_ value: Value, _ outbox: inout Outbox<Value, Failure>) {
    guard end == nil else { return }
    if held.isEmpty, outbox.hasRoom { return pass(value, &outbox) }
    if held.count < size { return held.append(value) }
    switch whenFull {
    case .dropNewest: break
    case .dropOldest:
      _ = held.popFirst()
      held.append(value)
    case .customError(let error):
      end = .failure(error())
      outbox.cancelLater(source.take())
    }
  }

  @inlinable
  mutating func pass(_ value: Value, _ outbox: inout Outbox<Value, Failure>) {
    outbox.put(value)
    if prefetch == .keepFull { outbox.effects.request(source, .max(1)) }
  }

  @inlinable
  mutating func ended(
    _ completion: Subscribers.Completion<Failure>, _ outbox: inout Outbox<Value, Failure>
  ) {
    if end == nil { end = completion }
    finishIfEmpty(&outbox)
  }

  @inlinable
  mutating func demandRose(
    by more: Subscribers.Demand, _ outbox: inout Outbox<Value, Failure>
  ) {
    while outbox.hasRoom, let value = held.popFirst() { pass(value, &outbox) }
    finishIfEmpty(&outbox)
  }

  @inlinable
  mutating func finishIfEmpty(_ outbox: inout Outbox<Value, Failure>) {
    if held.isEmpty, let end { outbox.finish(end) }
  }
}
