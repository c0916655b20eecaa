import Synchronization

/// What all subjects and shared streams are made of: a list of subscribers and one gate.
///
/// Whoever gets through the gate delivers to all; a sender that finds it shut leaves its value in
/// the queue, and the one inside delivers that too. So subscribers hear everything one at a time
/// and in one order, also what is sent in reply to a value.
// SAFETY: what is marked "inside the gate" is touched only by the thread that holds the gate;
// everything else is immutable, atomic or inside the mutex.
@usableFromInline
final class SubjectCore<Output: Sendable, Failure: Error>: @unchecked Sendable {
  @usableFromInline typealias Completion = Subscribers.Completion<Failure>
  @usableFromInline typealias Line = Conduit<Output, Failure>

  @usableFromInline
  enum Event: Sendable {
    case value(Output)
    case end(Completion)
    case drop(Line)
  }

  @usableFromInline
  struct Shared {
    @usableFromInline var conduits = ConduitList<Output, Failure>()
    @usableFromInline var queue: [Event] = []
    /// The newest delivered values, for those who come late.
    @usableFromInline var replay: [Output] = []
    /// The newest value sent, delivered or not.
    @usableFromInline var current: Output?
    @usableFromInline var end: Completion?
    @usableFromInline var upstreams: [any Subscription] = []
    @usableFromInline var connection: Connection<Output, Failure>?
    @usableFromInline var isClosed = false

    @inlinable init() {}
  }

  @usableFromInline let name: String
  /// How many values late subscribers get, and slow ones keep.
  @usableFromInline let keep: Int
  /// Whether those who come after the end still get the newest values.
  @usableFromInline let replaysAfterEnd: Bool
  @usableFromInline let gate = Atomic<SubjectGate>(.open)
  @usableFromInline let version = Atomic<Int>(0)
  @usableFromInline let shared: Mutex<Shared>
  /// Starts the stream behind a shared publisher when its first subscriber comes.
  @usableFromInline let connect: (@Sendable (Connection<Output, Failure>) -> Void)?
  /// Whether the first to come after the last has left is refused.
  @usableFromInline let closesWhenEmpty: Bool
  /// Told once, before the stream's end is delivered or after its last subscriber left.
  @usableFromInline let onClose: (@Sendable (SubjectCore) -> Void)?

  // Inside the gate.
  @exclusivity(unchecked) @usableFromInline var snapshot = ConduitSnapshot<Output, Failure>()
  @exclusivity(unchecked) @usableFromInline var snapshotVersion = 0
  @exclusivity(unchecked) @usableFromInline var ended = false

  @usableFromInline
  init(
    name: String, keep: Int = 0, initial: Output? = nil, replaysAfterEnd: Bool = true,
    closesWhenEmpty: Bool = false,
    onClose: (@Sendable (SubjectCore) -> Void)? = nil,
    connect: (@Sendable (Connection<Output, Failure>) -> Void)? = nil
  ) {
    self.name = name
    self.keep = keep
    self.replaysAfterEnd = replaysAfterEnd
    self.connect = connect
    self.closesWhenEmpty = closesWhenEmpty
    self.onClose = onClose
    var shared = Shared()
    shared.replay = initial.map { [$0] } ?? []
    shared.current = initial
    self.shared = Mutex(shared)
  }

  deinit {
    snapshot.release()
    for upstream in shared.withLock({ $0.upstreams }) { upstream.cancel() }
  }

  // MARK: sending

  @inlinable @inline(__always)
  func send(_ value: Output) {
    if enter() {
      if !ended { deliver(value) }
      leave()
    } else {
      post(.value(value))
    }
  }

  /// Sends, and in the same breath makes `value` the current one.
  @inlinable
  func sendCurrent(_ value: Output) {
    let (isInside, dropped) = shared.withLock { shared in
      guard shared.end == nil else { return (false, nil as Output?) }
      let dropped = shared.current
      shared.current = value
      shared.queue.append(.value(value))
      return (claimOrLeaveQueue(), dropped)
    }
    _ = dropped
    if isInside { deliverQueue() }
  }

  @inlinable
  func send(completion: Completion) {
    if enter() {
      end(completion)
      leave()
    } else {
      post(.end(completion))
    }
  }

  @inlinable @inline(__always)
  func enter() -> Bool {
    gate.compareExchange(expected: .open, desired: .shut, ordering: .acquiring).exchanged
  }

  @inlinable @inline(__always)
  func leave() {
    if !gate.compareExchange(expected: .shut, desired: .open, ordering: .releasing).exchanged {
      deliverQueue()
    }
  }

  @inlinable @inline(__always)
  func deliver(_ value: Output) {
    if keep > 0 || version.load(ordering: .acquiring) != snapshotVersion { refresh(value) }
    let keep = keep
    snapshot.forEach { $0.offer(value, keep: keep) }
  }

  /// Brings the snapshot up to date; remembers the value in the same breath, so that a subscriber
  /// that comes meanwhile gets it exactly once.
  @inlinable
  func refresh(_ value: Output) {
    let dropped = shared.withLock { shared in
      var dropped: (value: Output?, snapshot: ConduitSnapshot<Output, Failure>?) = (nil, nil)
      if keep > 0 {
        if shared.replay.count >= keep { dropped.value = shared.replay.removeFirst() }
        shared.replay.append(value)
      }
      let now = version.load(ordering: .relaxed)
      guard now != snapshotVersion else { return dropped }
      dropped.snapshot = snapshot
      snapshot = shared.conduits.snapshot()
      snapshotVersion = now
      return dropped
    }
    dropped.snapshot?.release()
  }

  /// Queues what could not be sent at once, or becomes the one inside after all.
  @inlinable
  func post(_ event: Event) {
    let isInside = shared.withLock { shared in
      shared.queue.append(event)
      return claimOrLeaveQueue()
    }
    if isInside { deliverQueue() }
  }

  /// Makes sure that somebody sees the queue. Returns true when that is the caller.
  @inlinable
  func claimOrLeaveQueue() -> Bool {
    while true {
      switch gate.load(ordering: .relaxed) {
      case .queued: return false
      case .shut:
        let left = gate.compareExchange(
          expected: .shut, desired: .queued, ordering: .acquiringAndReleasing)
        if left.exchanged { return false }
      case .open: if enter() { return true }
      }
    }
  }

  @inlinable
  func deliverQueue() {
    repeat {
      let events = shared.withLock { shared in
        gate.store(.shut, ordering: .relaxed)
        let events = shared.queue
        shared.queue = []
        return events
      }
      for event in events {
        switch event {
        case .value(let value): if !ended { deliver(value) }
        case .end(let completion): end(completion)
        case .drop(let conduit): conduit.receiver = nil
        }
      }
    } while !gate.compareExchange(expected: .shut, desired: .open, ordering: .releasing).exchanged
  }

  @inlinable
  func end(_ completion: Completion) {
    guard !ended else { return }
    ended = true
    onClose?(self)
    let (conduits, upstreams) = shared.withLock { shared in
      shared.end = completion
      shared.isClosed = true
      shared.connection = nil
      if !replaysAfterEnd { shared.replay = [] }
      version.add(1, ordering: .releasing)
      let upstreams = shared.upstreams
      shared.upstreams = []
      return (shared.conduits.removeAll(), upstreams)
    }
    snapshot.release()
    snapshot = ConduitSnapshot()
    snapshotVersion = version.load(ordering: .relaxed)
    for conduit in conduits { conduit.finish(completion) }
    _ = upstreams
  }
}

@usableFromInline
enum SubjectGate: Int, AtomicRepresentable {
  case open
  case shut
  /// Somebody is inside, and the queue is not empty.
  case queued
}
