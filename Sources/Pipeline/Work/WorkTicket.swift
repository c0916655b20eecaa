import Flow
import Synchronization

/// A job in a `WorkerPool`: cancel it, or change how urgent it is while it waits.
public final class WorkTicket: Cancellable {
  /// Long work looks at this; set by `cancel()`.
  public let flag = CancellationFlag()
  /// When it was submitted, for those who wait for what was submitted before.
  let epoch: Int
  private let pool: WorkerPool
  private let work: Mutex<(@Sendable (CancellationFlag) -> Void)?>

  init(pool: WorkerPool, epoch: Int, work: @escaping @Sendable (CancellationFlag) -> Void) {
    self.pool = pool
    self.epoch = epoch
    self.work = Mutex(work)
  }

  /// Moves a waiting job to the end of another priority's line; no effect once it runs.
  public func move(to priority: LoadPriority) { pool.move(self, to: priority) }

  /// Takes the job out of the queue, or asks it to stop when it runs already. Any thread.
  public func cancel() {
    flag.cancel()
    pool.remove(self)
    work.withLock { $0 = nil }
  }

  func run() {
    let taken = work.withLock { work in
      defer { work = nil }
      return work
    }
    taken?(flag)
  }
}

extension WorkTicket: Hashable {
  /// Whether both are the same job.
  public static func == (left: WorkTicket, right: WorkTicket) -> Bool { left === right }

  /// Hashes the job's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
