extension Publishers {
  /// What `merge` with seven others returns.
  ///
  /// It is written out for each number of sources, as the language cannot yet say of a parameter
  /// pack that all send the same.
  public struct Merge8<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher,
    G: Publisher, H: Publisher
  >: Publisher
  where
    B.Output == A.Output, B.Failure == A.Failure,
    C.Output == A.Output, C.Failure == A.Failure,
    D.Output == A.Output, D.Failure == A.Failure,
    E.Output == A.Output, E.Failure == A.Failure,
    F.Output == A.Output, F.Failure == A.Failure,
    G.Output == A.Output, G.Failure == A.Failure,
    H.Output == A.Output, H.Failure == A.Failure
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
    /// A source.
    public let f: F
    /// A source.
    public let g: G
    /// A source.
    public let h: H

    /// A publisher of what all of them send.
    @inlinable @inline(__always)
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
      self.g = g
      self.h = h
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let (_, inners) = MergeStart.begin(subscriber, count: 8)
      a.receive(subscriber: inners[0])
      b.receive(subscriber: inners[1])
      c.receive(subscriber: inners[2])
      d.receive(subscriber: inners[3])
      e.receive(subscriber: inners[4])
      f.receive(subscriber: inners[5])
      g.receive(subscriber: inners[6])
      h.receive(subscriber: inners[7])
    }
  }
}
