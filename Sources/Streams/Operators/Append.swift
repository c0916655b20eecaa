extension Publisher {
  /// Goes on with `publisher` when this one has finished.
  ///
  /// Demand that was not met passes to it. Fails when either fails; delivers where each sends.
  /// Cancel stops whichever runs, and the second is not subscribed before its time.
  ///
  /// ```swift
  /// [1, 2].publisher.append([3, 4].publisher)  // 1, 2, 3, 4
  /// ```
  @inlinable @inline(__always)
  public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Concatenate(prefix: self, suffix: publisher)
  }

  /// Sends further values when this publisher has finished. See `append(_:)`.
  @inlinable
  public func append(_ elements: Output...)
    -> Publishers.Concatenate<
      Self, Publishers.Sequence<[Output], Failure>
    >
  {
    append(Publishers.Sequence(sequence: elements))
  }

  /// Sends further values when this publisher has finished. See `append(_:)`.
  @inlinable
  public func append<S: Sequence & Sendable>(_ elements: S)
    -> Publishers.Concatenate<
      Self, Publishers.Sequence<S, Failure>
    > where S.Element == Output
  {
    append(Publishers.Sequence(sequence: elements))
  }
}
