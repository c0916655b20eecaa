/// Which job is next, and whether a worker must be started. Knows no lock and no thread.
///
/// Every operation is O(1), amortised: a job that leaves or moves stays in its old line as an entry
/// that is skipped when its turn comes.
struct WorkQueueState<Job: Hashable> {
  private let width: Int
  private var lines: [[Entry]] = LoadPriority.allCases.map { _ in [] }
  private var heads: [Int] = LoadPriority.allCases.map { _ in 0 }
  private var waiting: [Job: Int] = [:]
  private var nextNumber = 0
  private(set) var workerCount = 0

  private struct Entry {
    let job: Job
    let number: Int
  }

  init(width: Int) { self.width = width }

  var waitingCount: Int { waiting.count }
  var idleCount: Int { width - workerCount }

  /// Queues `job`. Returns whether the caller is to start one more worker.
  mutating func add(_ job: Job, at priority: LoadPriority) -> Bool {
    line(up: job, at: priority)
    guard workerCount < width else { return false }
    workerCount += 1
    return true
  }

  /// Moves a waiting job to the end of another line; jobs that do not wait are left alone.
  mutating func move(_ job: Job, to priority: LoadPriority) {
    guard waiting[job] != nil else { return }
    line(up: job, at: priority)
  }

  /// Takes a waiting job out. Returns whether it was one.
  @discardableResult
  mutating func remove(_ job: Job) -> Bool { waiting.removeValue(forKey: job) != nil }

  /// The next job for a worker; with `nil` that worker has left.
  mutating func next() -> Job? {
    for priority in lines.indices.reversed() {
      while let entry = popFirst(of: priority) {
        guard waiting[entry.job] == entry.number else { continue }
        waiting[entry.job] = nil
        return entry.job
      }
    }
    workerCount -= 1
    return nil
  }

  private mutating func line(up job: Job, at priority: LoadPriority) {
    nextNumber += 1
    waiting[job] = nextNumber
    lines[priority.rawValue].append(Entry(job: job, number: nextNumber))
  }

  private mutating func popFirst(of priority: Int) -> Entry? {
    guard heads[priority] < lines[priority].count else {
      lines[priority].removeAll(keepingCapacity: true)
      heads[priority] = 0
      return nil
    }
    let entry = lines[priority][heads[priority]]
    heads[priority] += 1
    if heads[priority] > 64, heads[priority] * 2 > lines[priority].count {
      lines[priority].removeFirst(heads[priority])
      heads[priority] = 0
    }
    return entry
  }
}
