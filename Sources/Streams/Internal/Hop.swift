import Synchronization

/// Carries values from the thread that sends them to a scheduler: what comes while a hop is under
/// way waits in line and goes with it.
// SAFETY: `downstream` is used by the one scheduled drain at a time, and dropped by it or, when
// none is running, by whoever cancels.
@usableFromInline
final class Hop<Downstream: Subscriber>: Subscriber, @unchecked Sendable {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline
  struct Line: Sendable {
    @usableFromInline var values: [Input] = []
    @usableFromInline var end: Subscribers.Completion<Failure>?
    @usableFromInline var isScheduled = false
    @usableFromInline var isDraining = false
    @usableFromInline var source: (any Subscription)?

    @inlinable init() {}
  }

  @usableFromInline let name: StaticString
  @usableFromInline let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void
  @usableFromInline let over = Atomic<Bool>(false)
  @usableFromInline let line = Mutex(Line())
  @exclusivity(unchecked) @usableFromInline var downstream: DownstreamBox<Downstream>?

  @inlinable @inline(__always)
  init(
    _ name: StaticString, _ downstream: Downstream,
    schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    self.name = name
    self.downstream = DownstreamBox(downstream)
    self.schedule = schedule
  }

  @inlinable
  func receive(subscription: any Subscription) {
    line.withLock { $0.source = subscription }
    guard let box = downstream else { return subscription.cancel() }
    box.downstream.receive(
      subscription: ClosureSubscription(
        name, request: { self.request($0) }, cancel: { self.cancel() }))
  }

  @inlinable
  func request(_ demand: Subscribers.Demand) {
    line.withLock { $0.source }?.request(demand)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    let mustSchedule = line.withLock { line in
      if over.load(ordering: .relaxed) || line.end != nil { return false }
      line.values.append(input)
      if line.isScheduled { return false }
      line.isScheduled = true
      return true
    }
    if mustSchedule { schedule { self.drain() } }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    let mustSchedule = line.withLock { line in
      if over.load(ordering: .relaxed) || line.end != nil { return false }
      line.end = completion
      line.source = nil
      if line.isScheduled { return false }
      line.isScheduled = true
      return true
    }
    if mustSchedule { schedule { self.drain() } }
  }

  @usableFromInline
  enum Batch: Sendable {
    case values([Input], from: (any Subscription)?)
    case end(Subscribers.Completion<Failure>)
    case release
    case nothing
  }

  @inlinable
  func drain() {
    // What comes meanwhile goes with a hop of its own after a few rounds: others wait as well.
    for _ in 0..<16 {
      switch line.withLock({ take(&$0) }) {
      case .values(let values, let source):
        guard let box = downstream else { return }
        var more = Subscribers.Demand.none
        for value in values {
          if over.load(ordering: .relaxed) { break }
          more += box.downstream.receive(value)
        }
        if more > .none, !over.load(ordering: .relaxed) { source?.request(more) }
      case .end(let completion):
        over.store(true, ordering: .relaxed)
        downstream.take()?.downstream.receive(completion: completion)
        return
      case .release:
        downstream = nil
        return
      case .nothing: return
      }
    }
    schedule { self.drain() }
  }

  @inlinable
  func take(_ line: inout Line) -> Batch {
    line.isDraining = true
    if over.load(ordering: .relaxed) { return .release }
    if !line.values.isEmpty {
      let values = line.values
      line.values = []
      return .values(values, from: line.source)
    }
    if let end = line.end { return .end(end) }
    line.isScheduled = false
    line.isDraining = false
    return .nothing
  }

  @inlinable
  func cancel() {
    let (dropped, released) = line.withLock { line -> (Line?, DownstreamBox<Downstream>?) in
      guard !over.exchange(true, ordering: .acquiringAndReleasing) else { return (nil, nil) }
      let dropped = line
      line.values = []
      line.end = nil
      line.source = nil
      return (dropped, line.isDraining ? nil : downstream.take())
    }
    dropped?.source?.cancel()
    _ = released
  }
}

extension Hop: CustomStringConvertible {
  @usableFromInline var description: String { "\(name)" }
}
