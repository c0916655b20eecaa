import Dispatch
import Flow
import Synchronization

/// A bounded number of workers that take jobs by priority, oldest first.
///
/// Threads are borrowed from Dispatch while there is work; at most `width` jobs run at once.
public final class WorkerPool: Sendable {
  private struct State {
    var queue: WorkQueueState<WorkTicket>
    var epochs = WorkEpochs()
  }

  private let state: Mutex<State>
  private let queue: DispatchQueue

  /// Makes a pool that runs up to `width` jobs at once; at least 1.
  public init(label: String = "flow.workers", width: Int) {
    state = Mutex(State(queue: WorkQueueState(width: max(1, width))))
    queue = DispatchQueue(label: label, attributes: .concurrent)
  }

  /// Queues `work`; it runs on some worker, or never if the ticket is cancelled before its turn.
  @discardableResult
  public func submit(
    priority: LoadPriority = .normal, _ work: @escaping @Sendable (CancellationFlag) -> Void
  ) -> WorkTicket {
    let (ticket, startsWorker) = state.withLock { state in
      let ticket = WorkTicket(pool: self, epoch: state.epochs.added(), work: work)
      return (ticket, state.queue.add(ticket, at: priority))
    }
    if startsWorker { queue.async { self.runJobs() } }
    return ticket
  }

  /// Jobs that wait for a worker.
  public var waitingCount: Int { state.withLock { $0.queue.waitingCount } }

  /// Returns when all jobs that were submitted before have run or were cancelled; not sooner when
  /// the task is cancelled.
  public func finishSubmitted() async {
    await withCheckedContinuation { continuation in
      for action in state.withLock({ $0.epochs.wait { continuation.resume() } }) { action() }
    }
  }

  /// Workers that have nothing to do.
  public var idleCount: Int { state.withLock { $0.queue.idleCount } }

  func move(_ ticket: WorkTicket, to priority: LoadPriority) {
    state.withLock { $0.queue.move(ticket, to: priority) }
  }

  func remove(_ ticket: WorkTicket) {
    let actions = state.withLock { state in
      state.queue.remove(ticket) ? state.epochs.ended(in: ticket.epoch) : []
    }
    for action in actions { action() }
  }

  private func runJobs() {
    while let ticket = state.withLock({ $0.queue.next() }) {
      ticket.run()
      for action in state.withLock({ $0.epochs.ended(in: ticket.epoch) }) { action() }
    }
  }
}
