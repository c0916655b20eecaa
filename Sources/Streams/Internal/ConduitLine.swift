import Synchronization

// These are types of their own, and the generic part sits behind a reference: a generic object is
// freed by unspecialised code, which is quick only while it need not look up generic types.

@usableFromInline
enum ConduitMode: UInt8, AtomicRepresentable {
  /// Counting demand; → fast, over.
  case slow
  /// Everything is wanted at once; → over.
  case fast
  case over
}

/// What a slow conduit counts.
@usableFromInline
struct ConduitLine: Sendable {
  @usableFromInline var demand = Subscribers.Demand.none
  /// Somebody is talking to the subscriber, at first the thread that subscribes it.
  @usableFromInline var busy = true

  @inlinable
  init() {}
}

/// What waits for a subscriber to ask, or for somebody to stop talking to it.
// SAFETY: guarded by the conduit's lock.
@usableFromInline
final class ConduitWaiting<Output: Sendable, Failure: Error>: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var values: Queue<Output>
  @exclusivity(unchecked) @usableFromInline var end: Subscribers.Completion<Failure>?

  @inlinable
  init(_ values: [Output] = [], end: Subscribers.Completion<Failure>? = nil) {
    self.values = Queue(values)
    self.end = end
  }
}
