extension Publisher {
  /// Begins with `publisher`, and goes on with this one when that has finished. Demand, failures,
  /// delivery and cancel are as with `append(_:)`.
  ///
  /// ```swift
  /// [3, 4].publisher.prepend([1, 2].publisher)  // 1, 2, 3, 4
  /// ```
  @inlinable @inline(__always)
  public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }

  /// Sends values before those of this publisher. See `append(_:)`.
  @inlinable
  public func prepend(_ elements: Output...)
    -> Publishers.Concatenate<
      Publishers.Sequence<[Output], Failure>, Self
    >
  {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Sends values before those of this publisher. See `append(_:)`.
  @inlinable
  public func prepend<S: Sequence & Sendable>(_ elements: S)
    -> Publishers.Concatenate<
      Publishers.Sequence<S, Failure>, Self
    > where S.Element == Output
  {
    prepend(Publishers.Sequence(sequence: elements))
  }
}
