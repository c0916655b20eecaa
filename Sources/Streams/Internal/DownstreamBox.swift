/// One object that holds a subscriber, so that several closures can share it: a closure over
/// exactly one object needs no allocation of its own.
@usableFromInline
final class DownstreamBox<Downstream: Subscriber>: Sendable {
  @usableFromInline let downstream: Downstream

  @inlinable @inline(__always)
  init(_ downstream: Downstream) { self.downstream = downstream }
}
