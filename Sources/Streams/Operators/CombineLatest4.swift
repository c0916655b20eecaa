extension Publisher {
  /// Sends the newest values of four sources whenever one of them sends, once all have. See
  /// `combineLatest(_:)`.
  @inlinable @inline(__always)
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
    _ b: P, _ c: Q, _ d: R
  ) -> Publishers.CombineLatest4<Self, P, Q, R>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.CombineLatest4(self, b, c, d)
  }

  /// Combines the values of four sources. See `combineLatest(_:)`.
  @inlinable @inline(__always)
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, T: Sendable>(
    _ b: P, _ c: Q, _ d: R,
    _ transform: @escaping @Sendable (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, T>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    combineLatest(b, c, d).map { transform($0.0, $0.1, $0.2, $0.3) }
  }
}

extension Publishers {
  /// What `combineLatest` with three others returns.
  public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where B.Failure == A.Failure, C.Failure == A.Failure, D.Failure == A.Failure {
    /// A value of each source.
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
    /// What all sources fail with.
    public typealias Failure = A.Failure

    /// A source.
    public let a: A
    /// A source.
    public let b: B
    /// A source.
    public let c: C
    /// A source.
    public let d: D

    /// A publisher over all of them.
    @inlinable @inline(__always)
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      a.combineLatest(b).combineLatest(c).combineLatest(d)
        .map { ($0.0.0.0, $0.0.0.1, $0.0.1, $0.1) }
        .receive(subscriber: subscriber)
    }
  }
}
