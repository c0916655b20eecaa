extension Publisher {
  /// Sends the newest values of three sources whenever one of them sends, once all have. See
  /// `combineLatest(_:)`.
  ///
  /// ```swift
  /// width.combineLatest(height, scale)
  /// ```
  @inlinable @inline(__always)
  public func combineLatest<P: Publisher, Q: Publisher>(
    _ b: P, _ c: Q
  ) -> Publishers.CombineLatest3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
    Publishers.CombineLatest3(self, b, c)
  }

  /// Combines the values of three sources. See `combineLatest(_:)`.
  @inlinable @inline(__always)
  public func combineLatest<P: Publisher, Q: Publisher, T: Sendable>(
    _ b: P, _ c: Q,
    _ transform: @escaping @Sendable (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T>
  where P.Failure == Failure, Q.Failure == Failure {
    combineLatest(b, c).map { transform($0.0, $0.1, $0.2) }
  }
}

extension Publishers {
  /// What `combineLatest` with two others returns.
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where B.Failure == A.Failure, C.Failure == A.Failure {
    /// A value of each source.
    public typealias Output = (A.Output, B.Output, C.Output)
    /// What all sources fail with.
    public typealias Failure = A.Failure

    /// A source.
    public let a: A
    /// A source.
    public let b: B
    /// A source.
    public let c: C

    /// A publisher over all of them.
    @inlinable @inline(__always)
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      a.combineLatest(b).combineLatest(c)
        .map { ($0.0.0, $0.0.1, $0.1) }
        .receive(subscriber: subscriber)
    }
  }
}
