extension Publisher {
  /// Turns each value into another, or fails with what `transform` throws.
  ///
  /// The first error cancels the source. `Failure` is the source's, and the closure throws that
  /// type. Ends and delivers as the source does; cancel passes through.
  ///
  /// ```swift
  /// ["1", "x", "3"].publisher.tryMap { text throws(NoNumber) in try number(text) }  // 1, failure
  /// ```
  @inlinable @inline(__always)
  public func tryMap<T: Sendable>(
    _ transform: @escaping @Sendable (Output) throws(Failure) -> T
  ) -> Publishers.TryMap<Self, T, Failure> {
    Publishers.TryMap(upstream: self, transform: transform) { $0 }
  }

  /// Turns each value into another, or fails with what `transform` throws, for sources that cannot
  /// fail: `Failure` is the type that the closure throws.
  @inlinable @inline(__always)
  public func tryMap<T: Sendable, E: Error>(
    _ transform: @escaping @Sendable (Output) throws(E) -> T
  ) -> Publishers.TryMap<Self, T, E> where Failure == Never {
    Publishers.TryMap(upstream: self, transform: transform, failure: impossible)
  }

  /// Turns each value into another, or fails with what `transform` throws. Where the source's error
  /// and the closure's are different types, `Failure` is `any Error`.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func tryMap<T: Sendable>(
    _ transform: @escaping @Sendable (Output) throws -> T
  ) -> Publishers.TryMap<Self, T, any Error> {
    Publishers.TryMap(upstream: self, transform: transform) { $0 }
  }
}

extension Publishers {
  /// What `tryMap` returns.
  public struct TryMap<Upstream: Publisher, Output: Sendable, Failure: Error>: Publisher {
    /// The source.
    public let upstream: Upstream
    /// Called once per value.
    public let transform: @Sendable (Upstream.Output) throws(Failure) -> Output
    @usableFromInline let failure: @Sendable (Upstream.Failure) -> Failure

    @inlinable @inline(__always)
    init(
      upstream: Upstream,
      transform: @escaping @Sendable (Upstream.Output) throws(Failure) -> Output,
      failure: @escaping @Sendable (Upstream.Failure) -> Failure
    ) {
      self.upstream = upstream
      self.transform = transform
      self.failure = failure
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: TryMapSubscriber(
          downstream: subscriber, transform: transform, failure: failure))
    }
  }
}

@usableFromInline
struct TryMapSubscriber<Input: Sendable, Failure: Error, Downstream: Subscriber>: StoppingSubscriber
{
  @usableFromInline let downstream: Downstream
  @usableFromInline let transform: @Sendable (Input) throws(Downstream.Failure) -> Downstream.Input
  @usableFromInline let failure: @Sendable (Failure) -> Downstream.Failure
  @usableFromInline let slot = SubscriptionSlot()

  @inlinable @inline(__always)
  init(
    downstream: Downstream,
    transform: @escaping @Sendable (Input) throws(Downstream.Failure) -> Downstream.Input,
    failure: @escaping @Sendable (Failure) -> Downstream.Failure
  ) {
    self.downstream = downstream
    self.transform = transform
    self.failure = failure
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if slot.isOver { return .none }
    do throws(Downstream.Failure) {
      return downstream.receive(try transform(input))
    } catch {
      if slot.stop() { downstream.receive(completion: .failure(error)) }
      return .none
    }
  }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    if slot.finish() { downstream.receive(completion: completion.mapError(failure)) }
  }
}

extension TryMapSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "TryMap" }
}
