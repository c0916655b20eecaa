/// A subject's subscribers in the order they came. Adding and removing take constant time,
/// averaged: removal leaves a gap, and gaps are closed when they are the larger part.
@usableFromInline
struct ConduitList<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline var slots: [Conduit<Output, Failure>?] = []
  @usableFromInline var count = 0

  @inlinable init() {}

  @inlinable
  var isEmpty: Bool { count == 0 }

  @inlinable
  mutating func append(_ conduit: Conduit<Output, Failure>) {
    conduit.index = slots.count
    slots.append(conduit)
    count += 1
  }

  /// Returns whether it was listed.
  @inlinable
  mutating func remove(_ conduit: Conduit<Output, Failure>) -> Bool {
    let index = conduit.index
    guard index >= 0 else { return false }
    conduit.index = -1
    count -= 1
    slots[index] = nil
    while let last = slots.last, last == nil { slots.removeLast() }
    if slots.count > 32, slots.count > 2 * count { closeGaps() }
    return true
  }

  @inlinable
  mutating func removeAll() -> [Conduit<Output, Failure>] {
    let all = slots.compactMap { $0 }
    for conduit in all { conduit.index = -1 }
    slots = []
    count = 0
    return all
  }

  @inlinable
  func snapshot() -> ConduitSnapshot<Output, Failure> { ConduitSnapshot(slots, count: count) }

  @inlinable
  mutating func closeGaps() {
    slots = slots.filter { $0 != nil }
    for (index, conduit) in slots.enumerated() { conduit?.index = index }
  }
}

/// The subscribers that one delivery goes to, in memory of its own: the list may change meanwhile,
/// and walking it costs no reference counting.
// SAFETY: each reference in the memory was retained when made; `release` is called once, and
// only the holder of the subject's gate walks or releases it.
@usableFromInline
struct ConduitSnapshot<Output: Sendable, Failure: Error>: @unchecked Sendable {
  @usableFromInline typealias Element = Unmanaged<Conduit<Output, Failure>>

  @usableFromInline let elements: UnsafeMutableBufferPointer<Element>

  @inlinable
  init() { elements = UnsafeMutableBufferPointer(start: nil, count: 0) }

  @inlinable
  init(_ slots: [Conduit<Output, Failure>?], count: Int) {
    elements = .allocate(capacity: count)
    var next = 0
    for case let conduit? in slots {
      elements.initializeElement(at: next, to: .passRetained(conduit))
      next += 1
    }
  }

  @inlinable @inline(__always)
  func forEach(_ body: (Conduit<Output, Failure>) -> Void) {
    for element in elements { element._withUnsafeGuaranteedRef(body) }
  }

  @inlinable
  func release() {
    for element in elements { element.release() }
    elements.deallocate()
  }
}
