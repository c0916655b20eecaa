extension Publisher {
  /// Sends two properties of each value. For one property use `map(\.property)`.
  ///
  /// Fails and ends as the source does; delivers where the source delivers; cancel passes through.
  ///
  /// ```swift
  /// ["flow", "ab"].publisher.map(\.count, \.isEmpty)  // (4, false), (2, false)
  /// ```
  @inlinable @inline(__always)
  public func map<T0: Sendable, T1: Sendable>(
    _ keyPath0: KeyPath<Output, T0> & Sendable, _ keyPath1: KeyPath<Output, T1> & Sendable
  ) -> Publishers.Map<Self, (T0, T1)> {
    map { ($0[keyPath: keyPath0], $0[keyPath: keyPath1]) }
  }

  /// Sends three properties of each value. See `map(_:_:)`.
  @inlinable @inline(__always)
  public func map<T0: Sendable, T1: Sendable, T2: Sendable>(
    _ keyPath0: KeyPath<Output, T0> & Sendable, _ keyPath1: KeyPath<Output, T1> & Sendable,
    _ keyPath2: KeyPath<Output, T2> & Sendable
  ) -> Publishers.Map<Self, (T0, T1, T2)> {
    map { ($0[keyPath: keyPath0], $0[keyPath: keyPath1], $0[keyPath: keyPath2]) }
  }
}
