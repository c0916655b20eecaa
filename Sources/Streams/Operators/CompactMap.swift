extension Publisher {
  /// Turns each value into another, dropping those for which `transform` returns nil.
  ///
  /// For each value dropped one more is asked for. Fails, ends and delivers as the source does;
  /// cancel passes through.
  ///
  /// ```swift
  /// ["1", "x"].publisher.compactMap { Int($0) }  // 1
  /// ```
  @inlinable @inline(__always)
  public func compactMap<T: Sendable>(
    _ transform: @escaping @Sendable (Output) -> T?
  ) -> Publishers.CompactMap<Self, T> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// What `compactMap` returns.
  public struct CompactMap<Upstream: Publisher, Output: Sendable>: Publisher {
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// Called once per value.
    public let transform: @Sendable (Upstream.Output) -> Output?

    /// A publisher of what `transform` makes of `upstream`'s values.
    @inlinable @inline(__always)
    public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: CompactMapSubscriber(downstream: subscriber, transform: transform))
    }
  }
}

@usableFromInline
struct CompactMapSubscriber<Input: Sendable, Downstream: Subscriber>: RelaySubscriber {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let transform: @Sendable (Input) -> Downstream.Input?

  @inlinable @inline(__always)
  init(downstream: Downstream, transform: @escaping @Sendable (Input) -> Downstream.Input?) {
    self.downstream = downstream
    self.transform = transform
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard let output = transform(input) else { return .max(1) }
    return downstream.receive(output)
  }
}

extension CompactMapSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "CompactMap" }
}
