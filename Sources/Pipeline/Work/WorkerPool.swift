import Dispatch
import Flow
import Synchronization

/// A bounded number of workers that take jobs by priority, oldest first.
///
/// Threads are borrowed from Dispatch while there is work; at most `width` jobs run at once.
public final class WorkerPool: Sendable {
  private let state: Mutex<WorkQueueState<WorkTicket>>
  private let queue: DispatchQueue

  /// Makes a pool that runs up to `width` jobs at once; at least 1.
  public init(label: String = "flow.workers", width: Int) {
    state = Mutex(WorkQueueState(width: max(1, width)))
    queue = DispatchQueue(label: label, attributes: .concurrent)
  }

  /// Queues `work`; it runs on some worker, or never if the ticket is cancelled before its turn.
  @discardableResult
  public func submit(
    priority: LoadPriority = .normal, _ work: @escaping @Sendable (CancellationFlag) -> Void
  ) -> WorkTicket {
    let ticket = WorkTicket(pool: self, work: work)
    let startsWorker = state.withLock { $0.add(ticket, at: priority) }
    if startsWorker { queue.async { self.runJobs() } }
    return ticket
  }

  /// Jobs that wait for a worker.
  public var waitingCount: Int { state.withLock { $0.waitingCount } }

  func move(_ ticket: WorkTicket, to priority: LoadPriority) {
    state.withLock { $0.move(ticket, to: priority) }
  }

  func remove(_ ticket: WorkTicket) {
    state.withLock { $0.remove(ticket) }
  }

  private func runJobs() {
    while let ticket = state.withLock({ $0.next() }) { ticket.run() }
  }
}
