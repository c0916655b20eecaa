extension Publisher where Failure == Never {
  /// Declares that a stream that cannot fail may fail with `failureType`, so that it fits others.
  ///
  /// Nothing else changes: it ends and delivers as the source does, and cancel passes through.
  ///
  /// ```swift
  /// Just(cover).setFailureType(to: LoadError.self).append(load(url))
  /// ```
  @inlinable @inline(__always)
  public func setFailureType<E: Error>(
    to failureType: E.Type
  ) -> Publishers.SetFailureType<Self, E> {
    Publishers.SetFailureType(upstream: self)
  }
}

extension Publishers {
  /// What `setFailureType` returns.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher
  where Upstream.Failure == Never {
    /// The source's.
    public typealias Output = Upstream.Output

    /// The source.
    public let upstream: Upstream

    /// `upstream`, with another failure type.
    @inlinable @inline(__always)
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: SetFailureTypeSubscriber(downstream: subscriber))
    }
  }
}

@usableFromInline
struct SetFailureTypeSubscriber<Downstream: Subscriber>: RelaySubscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Never

  @usableFromInline let downstream: Downstream

  @inlinable @inline(__always)
  init(downstream: Downstream) { self.downstream = downstream }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Never>) {
    downstream.receive(completion: .finished)
  }
}

extension SetFailureTypeSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "SetFailureType" }
}
