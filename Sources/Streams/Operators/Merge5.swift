extension Publishers {
  /// What `merge` with four others returns.
  ///
  /// It is written out for each number of sources, as the language cannot yet say of a parameter
  /// pack that all send the same.
  public struct Merge5<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher>:
    Publisher
  where
    B.Output == A.Output, B.Failure == A.Failure,
    C.Output == A.Output, C.Failure == A.Failure,
    D.Output == A.Output, D.Failure == A.Failure,
    E.Output == A.Output, E.Failure == A.Failure
  {
    /// What all send.
    public typealias Output = A.Output
    /// What all fail with.
    public typealias Failure = A.Failure

    /// A source.
    public let a: A
    /// A source.
    public let b: B
    /// A source.
    public let c: C
    /// A source.
    public let d: D
    /// A source.
    public let e: E

    /// A publisher of what all of them send.
    @inlinable @inline(__always)
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let (_, inners) = MergeStart.begin(subscriber, count: 5)
      a.receive(subscriber: inners[0])
      b.receive(subscriber: inners[1])
      c.receive(subscriber: inners[2])
      d.receive(subscriber: inners[3])
      e.receive(subscriber: inners[4])
    }
  }
}
