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

  /// What the subscriber's calls come to: nil cancels. Formed where the types are concrete, as the
  /// calls arrive through an existential.
  @usableFromInline let control: @Sendable (Conduit, Subscribers.Demand?) -> Void
  @usableFromInline let mode = Atomic<ConduitMode>(.slow)
  @usableFromInline let line = Mutex(ConduitLine())
  /// What waits, if anything ever did; guarded by `line`.
  @exclusivity(unchecked) @usableFromInline var waiting: ConduitWaiting<Output, Failure>?
  @exclusivity(unchecked) @usableFromInline var receiver: Receiver?
  @exclusivity(unchecked) @usableFromInline var subject: SubjectCore<Output, Failure>?
  /// Where the subject lists it; guarded by the subject's lock.
  @exclusivity(unchecked) @usableFromInline var index = -1

  @inlinable @inline(__always)
  init(_ receiver: Receiver, subject: SubjectCore<Output, Failure>) {
    control = { conduit, demand in
      if let demand { conduit.ask(for: demand) } else { conduit.stop() }
    }
    self.receiver = receiver
    self.subject = subject
  }

  // MARK: from the subject, inside its gate

  @inlinable @inline(__always)
  func offer(_ value: Output, keep: Int) {
    if mode.load(ordering: .acquiring) == .fast {
      _ = receiver?.value(value)
    } else {
      offerSlowly(value, keep: keep)
    }
  }

  /// Values without demand are dropped but for the newest `keep`.
  @inlinable
  func offerSlowly(_ value: Output, keep: Int) {
    let (verdict, dropped) = line.withLock { line -> (Verdict, Output?) in
      switch mode.load(ordering: .relaxed) {
      case .over: return (.nothing, nil)
      case .fast: return (.tellDirectly, nil)
      case .slow: break
      }
      let waiting = openWaiting()
      if waiting.end != nil { return (.nothing, nil) }
      var dropped: Output?
      let wanted = line.demand.max ?? .max
      if waiting.values.count >= wanted, waiting.values.count - wanted >= keep {
        if keep == 0 { return (.nothing, nil) }
        dropped = waiting.values.remove(at: wanted)
      }
      waiting.values.append(value)
      return (begin(&line), dropped)
    }
    _ = dropped
    switch verdict {
    case .talk: talk()
    case .tellDirectly: _ = receiver?.value(value)
    case .nothing: break
    }
  }

  @inlinable
  func finish(_ completion: Subscribers.Completion<Failure>) {
    let verdict = line.withLock { line -> Verdict in
      switch mode.load(ordering: .relaxed) {
      case .over: return .nothing
      case .fast: return .tellDirectly
      case .slow: break
      }
      let waiting = openWaiting()
      if waiting.end != nil { return .nothing }
      waiting.end = completion
      return begin(&line)
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

  @usableFromInline func request(_ demand: Subscribers.Demand) { control(self, demand) }
  @usableFromInline func cancel() { control(self, nil) }

  @inlinable
  func ask(for demand: Subscribers.Demand) {
    guard demand > .none, mode.load(ordering: .acquiring) == .slow else { return }
    let verdict = line.withLock { line in
      // It may have turned fast since the look outside the lock: then nothing is left to say.
      guard mode.load(ordering: .relaxed) == .slow else { return Verdict.nothing }
      line.demand += demand
      return begin(&line)
    }
    if verdict == .talk { talk() }
  }

  @inlinable
  func stop() {
    let old = mode.exchange(.over, ordering: .acquiringAndReleasing)
    guard old != .over else { return }
    let subject = subject.take()
    if old == .slow {
      let dropped = line.withLock { line in
        (waiting.take(), line.busy ? nil : receiver.take())
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

  /// Where values and the end are put that cannot be delivered at once.
  @inlinable
  func openWaiting() -> ConduitWaiting<Output, Failure> {
    if let waiting { return waiting }
    let new = ConduitWaiting<Output, Failure>()
    waiting = new
    return new
  }

  /// Claims the right to talk, if there is anything to say.
  @inlinable
  func begin(_ line: inout ConduitLine) -> Verdict {
    if line.busy { return .nothing }
    if let waiting, !waiting.values.isEmpty {
      guard line.demand > .none else { return .nothing }
    } else if waiting?.end == nil, !line.demand.isUnlimited {
      return .nothing
    }
    line.busy = true
    return .talk
  }

  @usableFromInline
  enum Word {
    case value(Output)
    case end(Subscribers.Completion<Failure>)
    /// Cancelled: the receiver goes, outside the lock.
    case drop(Receiver?)
    case silence
  }

  /// Says what is waiting, as far as it is wanted. Only for the thread that set `busy`.
  @inlinable
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

  @inlinable
  func next(_ line: inout ConduitLine) -> Word {
    if mode.load(ordering: .acquiring) != .over {
      if let waiting, !waiting.values.isEmpty {
        guard line.demand > .none, let first = waiting.values.popFirst() else {
          return pause(&line)
        }
        line.demand -= 1
        return .value(first)
      }
      if let end = waiting?.end {
        if move(to: .over) { return .end(end) }
      } else if !line.demand.isUnlimited || move(to: .fast) {
        return pause(&line)
      }
    }
    line.busy = false
    return .drop(receiver.take())
  }

  @inlinable
  func pause(_ line: inout ConduitLine) -> Word {
    line.busy = false
    return .silence
  }

  /// Leaves slow mode. Fails when cancelled in this instant.
  @inlinable
  func move(to mode: ConduitMode) -> Bool {
    self.mode.compareExchange(expected: .slow, desired: mode, ordering: .acquiringAndReleasing)
      .exchanged
  }
}

extension Conduit: CustomStringConvertible {
  @usableFromInline var description: String { "Subject" }
}
