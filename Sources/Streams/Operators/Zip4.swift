extension Publisher {
  /// Groups the values of four sources: the first with the first, and so on. See
  /// `zip(_:)`.
  @inlinable @inline(__always)
  public func zip<P: Publisher, Q: Publisher, R: Publisher>(
    _ b: P, _ c: Q, _ d: R
  ) -> Publishers.Zip4<Self, P, Q, R>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.Zip4(self, b, c, d)
  }

  /// Combines the values of four sources. See `zip(_:)`.
  @inlinable @inline(__always)
  public func zip<P: Publisher, Q: Publisher, R: Publisher, T: Sendable>(
    _ b: P, _ c: Q, _ d: R,
    _ transform: @escaping @Sendable (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, T>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    zip(b, c, d).map { transform($0.0, $0.1, $0.2, $0.3) }
  }
}

extension Publishers {
  /// What `zip` with three others returns.
  public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
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
      a.zip(b).zip(c).zip(d)
        .map { ($0.0.0.0, $0.0.0.1, $0.0.1, $0.1) }
        .receive(subscriber: subscriber)
    }
  }
}
