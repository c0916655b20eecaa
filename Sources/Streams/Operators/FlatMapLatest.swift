extension Publisher {
  /// Makes a publisher of each value and sends what the newest sends; the one before is cancelled.
  ///
  /// The same as `map(transform).switchToLatest()`: fails when the source or the newest fails,
  /// delivers where the newest sends, and cancel stops both.
  ///
  /// ```swift
  /// searchText.flatMapLatest { text in results(for: text) }
  /// ```
  @inlinable @inline(__always)
  public func flatMapLatest<P: Publisher>(
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.SwitchToLatest<P, Publishers.Map<Self, P>> where P.Failure == Failure {
    map(transform).switchToLatest()
  }

  /// The same for sources that cannot fail.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func flatMapLatest<P: Publisher>(
    _ transform: @escaping @Sendable (Output) -> P
  )
    -> Publishers.SwitchToLatest<
      P, Publishers.Map<Publishers.SetFailureType<Self, P.Failure>, P>
    > where Failure == Never
  {
    setFailureType(to: P.Failure.self).flatMapLatest(transform)
  }

  /// The same for made publishers that cannot fail.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func flatMapLatest<P: Publisher>(
    _ transform: @escaping @Sendable (Output) -> P
  )
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<P, Failure>,
      Publishers.Map<Self, Publishers.SetFailureType<P, Failure>>
    > where P.Failure == Never
  {
    flatMapLatest { transform($0).setFailureType(to: Failure.self) }
  }
}
