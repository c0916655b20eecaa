import Synchronization

/// The way from a subject to one of its subscribers.
///
/// Not generic over the subscriber: its closures are formed where that type is concrete. A conduit
/// starts slow: it counts demand and lines values up behind a lock. Once everything is demanded
/// and nothing is waiting it turns fast, and costs one load a value.
// SAFETY: `receiver` is called and dropped by one thread at a time: while slow by the one that set
// `busy`, while fast by the one inside the subject's gate. `subject` is taken by the one that
// moves `mode` to over.
@usableFromInline
final class Conduit<Output: Sendable, Failure: Error>: Subscription, @unchecked Sendable {
  @usableFromInline
  enum Mode: Int, AtomicRepresentable {
    /// Counting demand; → fast, over.
    case slow
    /// Everything is wanted at once; → over.
    case fast
    case over
  }

  @usableFromInline
  struct Receiver: Sendable {
    @usableFromInline let value: @Sendable (Output) -> Subscribers.Demand
    @usableFromInline let completion: @Sendable (Subscribers.Completion<Failure>) -> Void

    @inlinable @inline(__always)
    init(
      value: @escaping @Sendable (Output) -> Subscribers.Demand,
      completion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void
    ) {
      self.value = value
      self.completion = completion
    }
  }

  @usableFromInline
  struct Line: Sendable {
    var demand = Subscribers.Demand.none
    /// Somebody is talking to the subscriber, at first the thread that subscribes it.
    var busy = true
    var waiting = Queue<Output>()
    var end: Subscribers.Completion<Failure>?

    @usableFromInline init() {}
  }

  @usableFromInline let mode = Atomic<Mode>(.slow)
  @usableFromInline let line = Mutex(Line())
  @exclusivity(unchecked) @usableFromInline var receiver: Receiver?
  @exclusivity(unchecked) @usableFromInline var subject: SubjectCore<Output, Failure>?
  /// Where the subject lists it; guarded by the subject's lock.
  @exclusivity(unchecked) @usableFromInline var index = -1
  /// How many values without demand are kept: the newest ones.
  @usableFromInline let keep: Int
  @usableFromInline let name: String

  @inlinable
  init(_ receiver: Receiver, subject: SubjectCore<Output, Failure>) {
    self.receiver = receiver
    self.subject = subject
    keep = subject.keep
    name = subject.name
  }

  // MARK: from the subject, inside its gate

  @inlinable @inline(__always)
  func offer(_ value: Output) {
    if mode.load(ordering: .acquiring) == .fast {
      _ = receiver.unsafelyUnwrapped.value(value)
    } else {
      offerSlowly(value)
    }
  }

  @usableFromInline
  func offerSlowly(_ value: Output) {
    let (verdict, dropped) = line.withLock { line -> (Verdict, Output?) in
      switch mode.load(ordering: .relaxed) {
      case .over: return (.nothing, nil)
      case .fast: return (.tellDirectly, nil)
      case .slow: break
      }
      if line.end != nil { return (.nothing, nil) }
      var dropped: Output?
      let wanted = line.demand.max ?? .max
      if line.waiting.count >= wanted, line.waiting.count - wanted >= keep {
        if keep == 0 { return (.nothing, nil) }
        dropped = line.waiting.remove(at: wanted)
      }
      line.waiting.append(value)
      return (Self.begin(&line), dropped)
    }
    _ = dropped
    switch verdict {
    case .talk: talk()
    case .tellDirectly: _ = receiver?.value(value)
    case .nothing: break
    }
  }

  @usableFromInline
  func finish(_ completion: Subscribers.Completion<Failure>) {
    let verdict = line.withLock { line -> Verdict in
      switch mode.load(ordering: .relaxed) {
      case .over: return .nothing
      case .fast: return .tellDirectly
      case .slow: break
      }
      if line.end != nil { return .nothing }
      line.end = completion
      return Self.begin(&line)
    }
    switch verdict {
    case .talk: talk()
    case .tellDirectly:
      let turned = mode.compareExchange(
        expected: .fast, desired: .over, ordering: .acquiringAndReleasing)
      guard turned.exchanged else { return }
      subject = nil
      receiver.take()?.completion(completion)
    case .nothing: break
    }
  }

  // MARK: from the subscriber

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    guard demand > .none, mode.load(ordering: .acquiring) == .slow else { return }
    let verdict = line.withLock { line in
      line.demand += demand
      return Self.begin(&line)
    }
    if verdict == .talk { talk() }
  }

  @usableFromInline
  func cancel() {
    let old = mode.exchange(.over, ordering: .acquiringAndReleasing)
    guard old != .over else { return }
    let subject = subject.take()
    if old == .slow {
      let dropped = line.withLock { line in
        let waiting = line.waiting
        line.waiting = Queue()
        line.end = nil
        return (waiting, line.busy ? nil : receiver.take())
      }
      _ = dropped
      subject?.remove(self)
    } else {
      subject?.remove(self)
      subject?.dropReceiver(of: self)
    }
  }

  // MARK: talking while slow

  @usableFromInline
  enum Verdict {
    case talk, tellDirectly, nothing
  }

  /// Claims the right to talk, if there is anything to say.
  private static func begin(_ line: inout Line) -> Verdict {
    guard !line.busy else { return .nothing }
    let mayDeliver = !line.waiting.isEmpty && line.demand > .none
    let mayEnd = line.waiting.isEmpty && line.end != nil
    let mayTurnFast = line.waiting.isEmpty && line.demand.isUnlimited
    guard mayDeliver || mayEnd || mayTurnFast else { return .nothing }
    line.busy = true
    return .talk
  }

  private enum Word {
    case value(Output)
    case end(Subscribers.Completion<Failure>)
    /// Cancelled: the receiver goes, outside the lock.
    case drop(Receiver?)
    case silence
  }

  /// Says what is waiting, as far as it is wanted. Only for the thread that set `busy`.
  @usableFromInline
  func talk() {
    while true {
      switch line.withLock({ next(&$0) }) {
      case .value(let value):
        guard let more = receiver?.value(value), more > .none else { continue }
        line.withLock { $0.demand += more }
      case .end(let completion):
        subject = nil
        receiver.take()?.completion(completion)
        return
      case .drop, .silence: return
      }
    }
  }

  private func next(_ line: inout Line) -> Word {
    if mode.load(ordering: .acquiring) != .over {
      if line.demand > .none, let first = line.waiting.popFirst() {
        line.demand -= 1
        return .value(first)
      }
      guard line.waiting.isEmpty else { return pause(&line) }
      if let end = line.end {
        if move(to: .over) { return .end(end) }
      } else if !line.demand.isUnlimited || move(to: .fast) {
        return pause(&line)
      }
    }
    line.busy = false
    return .drop(receiver.take())
  }

  private func pause(_ line: inout Line) -> Word {
    line.busy = false
    return .silence
  }

  /// Leaves slow mode. Fails when cancelled in this instant.
  private func move(to mode: Mode) -> Bool {
    self.mode.compareExchange(expected: .slow, desired: mode, ordering: .acquiringAndReleasing)
      .exchanged
  }
}

extension Conduit: CustomStringConvertible {
  @usableFromInline var description: String { name }
}
