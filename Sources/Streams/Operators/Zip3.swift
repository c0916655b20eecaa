extension Publisher {
  /// Groups the values of three sources: the first with the first, and so on. See
  /// `zip(_:)`.
  ///
  /// ```swift
  /// letters.zip(numbers, colours)  // (a, 1, red), (b, 2, blue)
  /// ```
  @inlinable @inline(__always)
  public func zip<P: Publisher, Q: Publisher>(
    _ b: P, _ c: Q
  ) -> Publishers.Zip3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
    Publishers.Zip3(self, b, c)
  }

  /// Combines the values of three sources. See `zip(_:)`.
  @inlinable @inline(__always)
  public func zip<P: Publisher, Q: Publisher, T: Sendable>(
    _ b: P, _ c: Q,
    _ transform: @escaping @Sendable (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T>
  where P.Failure == Failure, Q.Failure == Failure {
    zip(b, c).map { transform($0.0, $0.1, $0.2) }
  }
}

extension Publishers {
  /// What `zip` with two others returns.
  public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
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
      a.zip(b).zip(c)
        .map { ($0.0.0, $0.0.1, $0.1) }
        .receive(subscriber: subscriber)
    }
  }
}
