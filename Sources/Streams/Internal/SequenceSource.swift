/// One subscriber's walk through a sequence.
// SAFETY: `iterator`, `next` and `downstream` belong to the one thread that the gate lets send.
@usableFromInline
final class SequenceSource<Iterator: IteratorProtocol, Downstream: Subscriber>: @unchecked Sendable
where Downstream.Input == Iterator.Element {
  @usableFromInline let gate = DemandGate()
  @exclusivity(unchecked) @usableFromInline var iterator: Iterator
  @exclusivity(unchecked) @usableFromInline var next: Iterator.Element?
  @exclusivity(unchecked) @usableFromInline var downstream: DownstreamBox<Downstream>?

  @inlinable @inline(__always)
  init(_ iterator: Iterator, _ downstream: Downstream) {
    self.iterator = iterator
    self.downstream = DownstreamBox(downstream)
    next = self.iterator.next()
  }

  @inlinable @inline(__always)
  func request(_ demand: Subscribers.Demand) {
    if gate.add(demand) { send() }
  }

  @inlinable @inline(__always)
  func cancel() {
    if gate.cancel() { release() }
  }

  @inlinable
  func release() {
    next = nil
    downstream = nil
  }

  @inlinable @inline(__always)
  func send() {
    guard let box = downstream else { return }
    var owed = gate.now
    while owed > 0, owed != .max {
      var sent = 0
      var more = Subscribers.Demand.none
      while sent < owed, !gate.isCancelled {
        guard let value = next else { return finish(box) }
        next = iterator.next()
        more += box.downstream.receive(value)
        sent += 1
      }
      if next == nil { return finish(box) }
      owed = gate.settle(sent: sent, more: more)
    }
    if owed == .max { sendAll(to: box) } else if owed < 0 { release() }
  }

  /// The loop of the common case: a local iterator, one relaxed load an element.
  @inlinable @inline(__always)
  func sendAll(to box: DownstreamBox<Downstream>) {
    guard let first = next else { return finish(box) }
    _ = box.downstream.receive(first)
    var iterator = self.iterator
    while gate.isUnlimited {
      guard let value = iterator.next() else { return finish(box) }
      _ = box.downstream.receive(value)
    }
    release()
  }

  @inlinable
  func finish(_ box: DownstreamBox<Downstream>) {
    let wasCancelled = gate.isCancelled
    _ = gate.cancel()
    release()
    if !wasCancelled { box.downstream.receive(completion: .finished) }
  }
}
