/// Tells when all jobs that were added before some moment have ended. Knows no lock and no job.
///
/// Each wait begins a new epoch; what is added later belongs to that and is not waited for.
struct WorkEpochs {
  typealias Action = @Sendable () -> Void

  private var unfinished: [Int: Int] = [:]
  private var waiting: [(epoch: Int, action: Action)] = []
  private var epoch = 0

  /// Counts a job; with the epoch in which it is to be reported as ended.
  mutating func added() -> Int {
    unfinished[epoch, default: 0] += 1
    return epoch
  }

  /// Counts the end of a job. Returns whose wait is over.
  mutating func ended(in epoch: Int) -> [Action] {
    guard let count = unfinished[epoch] else { return [] }
    unfinished[epoch] = count == 1 ? nil : count - 1
    return count == 1 ? takeReady() : []
  }

  /// Waits for all jobs there are. Returns whose wait is over, perhaps this one's.
  mutating func wait(_ action: @escaping Action) -> [Action] {
    waiting.append((epoch, action))
    epoch += 1
    return takeReady()
  }

  private mutating func takeReady() -> [Action] {
    let oldest = unfinished.keys.min() ?? .max
    let ready = waiting.filter { $0.epoch < oldest }.map(\.action)
    waiting.removeAll { $0.epoch < oldest }
    return ready
  }
}
