extension Publisher {
  /// Makes a publisher of each value and runs them one after the other, in order.
  ///
  /// The source is asked for its next value when one has finished. Fails, delivers and cancels as
  /// `flatMap(maxPublishers: .max(1))`.
  ///
  /// ```swift
  /// [2, 3].publisher.concatMap { (1...$0).publisher }  // 1, 2, 1, 2, 3
  /// ```
  @inlinable @inline(__always)
  public func concatMap<P: Publisher>(
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: .max(1), transform: transform)
  }

  /// Makes a publisher of each value and runs them one after the other, for sources that cannot
  /// fail. See `concatMap(_:)`.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func concatMap<P: Publisher>(
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> where Failure == Never {
    setFailureType(to: P.Failure.self).concatMap(transform)
  }

  /// Makes a publisher that cannot fail of each value and runs them one after the other. See
  /// `concatMap(_:)`.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func concatMap<P: Publisher>(
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    concatMap { transform($0).setFailureType(to: Failure.self) }
  }
}
