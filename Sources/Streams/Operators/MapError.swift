extension Publisher {
  /// Turns the error into another.
  ///
  /// Fails with what `transform` makes of the error; delivers where the source does. Values, good
  /// ends and cancel pass.
  ///
  /// ```swift
  /// transfer(url).mapError { LoadError.download($0) }
  /// ```
  @inlinable @inline(__always)
  public func mapError<E: Error>(
    _ transform: @escaping @Sendable (Failure) -> E
  ) -> Publishers.MapError<Self, E> {
    Publishers.MapError(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// What `mapError` returns.
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output

    /// The source.
    public let upstream: Upstream
    /// Called with the source's error.
    public let transform: @Sendable (Upstream.Failure) -> Failure

    /// `upstream`, with its error transformed.
    @inlinable @inline(__always)
    public init(
      upstream: Upstream, transform: @escaping @Sendable (Upstream.Failure) -> Failure
    ) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: MapErrorSubscriber(downstream: subscriber, transform: transform))
    }
  }
}

@usableFromInline
struct MapErrorSubscriber<Failure: Error, Downstream: Subscriber>: RelaySubscriber {
  @usableFromInline typealias Input = Downstream.Input

  @usableFromInline let downstream: Downstream
  @usableFromInline let transform: @Sendable (Failure) -> Downstream.Failure

  @inlinable @inline(__always)
  init(
    downstream: Downstream, transform: @escaping @Sendable (Failure) -> Downstream.Failure
  ) {
    self.downstream = downstream
    self.transform = transform
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    downstream.receive(completion: completion.mapError(transform))
  }
}

extension MapErrorSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "MapError" }
}
