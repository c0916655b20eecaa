/// Which loads run, and whether more are taken. Knows no lock and no clock.
struct LedgerState {
  private(set) var running: [LoadID: TrackedRun] = [:]
  private(set) var isOpen = true
  private(set) var counters = PipelineCounters()
  private var lastNumber: UInt64 = 0
  private var idleWaiters: [@Sendable () -> Void] = []

  /// A name for a load that does not run, as it has its image already.
  mutating func nameHit() -> LoadID {
    lastNumber += 1
    return LoadID(number: lastNumber)
  }

  /// Names a load that runs from now on; `nil` when no more are taken.
  mutating func begin(_ makeRun: (LoadID) -> TrackedRun) -> TrackedRun? {
    guard isOpen else { return nil }
    let run = makeRun(nameHit())
    running[run.id] = run
    counters.begun += 1
    return run
  }

  /// Counts the end of a load; `nil` when it had ended before. Else who waits for the last.
  mutating func end(_ report: LoadRecord) -> [@Sendable () -> Void]? {
    guard running.removeValue(forKey: report.id) != nil else { return nil }
    counters.add(report)
    return takeWaitersIfIdle()
  }

  /// Takes no more loads.
  mutating func close() { isOpen = false }

  /// Calls `action` when nothing runs. Returns whom to call now.
  mutating func whenIdle(_ action: @escaping @Sendable () -> Void) -> [@Sendable () -> Void] {
    idleWaiters.append(action)
    return takeWaitersIfIdle()
  }

  private mutating func takeWaitersIfIdle() -> [@Sendable () -> Void] {
    guard running.isEmpty else { return [] }
    defer { idleWaiters = [] }
    return idleWaiters
  }
}
