extension Publisher {
  /// Turns each value into another.
  ///
  /// Fails and ends as the source does; delivers where the source delivers; cancel passes through.
  ///
  /// ```swift
  /// [1, 2].publisher.map { "\($0)" }  // 1, 2
  /// ```
  @inlinable @inline(__always)
  public func map<T: Sendable>(
    _ transform: @escaping @Sendable (Output) -> T
  ) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// What `map` returns.
  public struct Map<Upstream: Publisher, Output: Sendable>: Publisher {
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// Called once per value.
    public let transform: @Sendable (Upstream.Output) -> Output

    /// A publisher of `upstream`'s values, transformed.
    @inlinable @inline(__always)
    public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: MapSubscriber(downstream: subscriber, transform: transform))
    }
  }
}

@usableFromInline
struct MapSubscriber<Input: Sendable, Downstream: Subscriber>: RelaySubscriber {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let transform: @Sendable (Input) -> Downstream.Input

  @inlinable @inline(__always)
  init(downstream: Downstream, transform: @escaping @Sendable (Input) -> Downstream.Input) {
    self.downstream = downstream
    self.transform = transform
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(transform(input)) }
}

extension MapSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "Map" }
}
