import Flow
import Synchronization

/// The book of a pipeline's loads: names them, counts them, tells listeners, and ends them.
final class LoadLedger: Sendable {
  private let state = Mutex(LedgerState())
  private let takesLoads = Atomic(true)
  private let memoryHits = Atomic(0)
  private let listeners = Atomic(0)
  private let subject = PassthroughSubject<PipelineEvent, Never>()

  /// Whether loads are still taken.
  var isOpen: Bool { takesLoads.load(ordering: .acquiring) }

  /// Whether anybody listens: what only listeners need is not made otherwise.
  var hasListeners: Bool { listeners.load(ordering: .relaxed) > 0 }

  /// What happens, for as long as it is subscribed.
  var events: AnyPublisher<PipelineEvent, Never> {
    Deferred { [self] in
      listeners.add(1, ordering: .relaxed)
      let leave = AnyCancellable { self.listeners.subtract(1, ordering: .relaxed) }
      return subject.handleEvents(receiveCancel: { leave.cancel() })
    }.eraseToAnyPublisher()
  }

  var counters: PipelineCounters {
    var counters = state.withLock { state in
      var counters = state.counters
      counters.running = state.running.count
      return counters
    }
    let hits = memoryHits.load(ordering: .relaxed)
    counters.begun += hits
    if hits > 0 { counters.delivered[.memory, default: 0] += hits }
    return counters
  }

  /// Counts an image that was in memory; its load has begun and ended at once.
  func note(_ hit: LoadedImage) {
    memoryHits.add(1, ordering: .relaxed)
    if hasListeners { tell(of: hit) }
  }

  /// Names a load that runs from now on; `nil` after `close()`.
  func begin(
    _ request: ImageRequest, for subscriber: AnySubscriber<LoadEvent, LoadError>
  ) -> TrackedRun? {
    let run = state.withLock { state in
      state.begin { TrackedRun($0, request, for: subscriber, in: self) }
    }
    if let run, hasListeners { tell(run.id, request, .began(request)) }
    return run
  }

  /// Tells listeners of bytes.
  func progressed(_ id: LoadID, _ request: ImageRequest, _ progress: LoadProgress) {
    if hasListeners { tell(id, request, .progressed(progress)) }
  }

  /// Counts and tells the end of a load, once.
  func end(_ report: LoadRecord, _ request: ImageRequest) {
    guard let waiters = state.withLock({ $0.end(report) }) else { return }
    if hasListeners { tell(report.id, request, .ended(report)) }
    for waiter in waiters { waiter() }
  }

  /// Takes no more loads.
  func close() {
    takesLoads.store(false, ordering: .releasing)
    state.withLock { $0.close() }
  }

  /// Ends the loads that still run.
  func endAll() {
    for run in state.withLock({ $0.running.values.sorted { $0.id < $1.id } }) { run.stop() }
  }

  /// Calls `action` when no load runs, perhaps at once.
  func whenIdle(_ action: @escaping @Sendable () -> Void) {
    for waiter in state.withLock({ $0.whenIdle(action) }) { waiter() }
  }

  private func tell(of hit: LoadedImage) {
    let id = state.withLock { $0.nameHit() }
    let now = ContinuousClock.now
    let report = LoadRecord(
      id: id, source: hit.request.sourceName, priority: hit.request.priority,
      began: now - (hit.metrics.lookup ?? .zero), ended: now,
      outcome: .image(.memory, hit.image.size), metrics: hit.metrics, transfer: nil)
    tell(id, hit.request, .began(hit.request))
    tell(id, hit.request, .ended(report))
  }

  private func tell(_ id: LoadID, _ request: ImageRequest, _ step: PipelineEvent.Step) {
    subject.send(
      PipelineEvent(id: id, source: request.sourceName, time: .now, step: step))
  }
}
