extension Publisher {
  /// Combines each value with what came of the ones before, and sends each result.
  ///
  /// Fails, ends and delivers as the source does; cancel passes through.
  ///
  /// - Parameters:
  ///   - initialResult: Combined with the first value.
  ///   - nextPartialResult: Called once per value.
  ///
  /// ```swift
  /// (1...3).publisher.scan(0, +)  // 1, 3, 6
  /// ```
  @inlinable @inline(__always)
  public func scan<T: Sendable>(
    _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
  ) -> Publishers.Scan<Self, T> {
    Publishers.Scan(
      upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// What `scan` returns.
  public struct Scan<Upstream: Publisher, Output: Sendable>: Publisher {
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// Combined with the first value.
    public let initialResult: Output
    /// Called once per value.
    public let nextPartialResult: @Sendable (Output, Upstream.Output) -> Output

    @inlinable @inline(__always)
    init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping @Sendable (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: ScanSubscriber(
          downstream: subscriber, nextPartialResult: nextPartialResult,
          box: SerialBox(initialResult)))
    }
  }
}

@usableFromInline
struct ScanSubscriber<Input: Sendable, Downstream: Subscriber>: RelaySubscriber {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let nextPartialResult: @Sendable (Downstream.Input, Input) -> Downstream.Input
  @usableFromInline let box: SerialBox<Downstream.Input>

  @inlinable @inline(__always)
  init(
    downstream: Downstream,
    nextPartialResult: @escaping @Sendable (Downstream.Input, Input) -> Downstream.Input,
    box: SerialBox<Downstream.Input>
  ) {
    self.downstream = downstream
    self.nextPartialResult = nextPartialResult
    self.box = box
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    let result = nextPartialResult(box.value, input)
    box.value = result
    return downstream.receive(result)
  }
}

extension ScanSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "Scan" }
}
