import Synchronization
import Testing

@testable import Pipeline

struct WorkEpochsTests {
  @Test func `a wait ends with the last job that was there before it`() {
    var epochs = WorkEpochs()
    let jobs = [epochs.added(), epochs.added()]
    #expect(epochs.wait {}.isEmpty)
    let later = epochs.added()
    #expect(epochs.ended(in: jobs[0]).isEmpty)
    #expect(epochs.ended(in: later).isEmpty)
    #expect(epochs.ended(in: jobs[1]).count == 1)
  }

  @Test func `without jobs a wait is over at once`() {
    var epochs = WorkEpochs()
    #expect(epochs.wait {}.count == 1)
    #expect(epochs.wait {}.count == 1)
  }

  @Test func `a later wait does not end before an earlier one's jobs`() {
    var epochs = WorkEpochs()
    let first = epochs.added()
    #expect(epochs.wait {}.isEmpty)
    let second = epochs.added()
    #expect(epochs.wait {}.isEmpty)
    #expect(epochs.ended(in: second).isEmpty)
    #expect(epochs.ended(in: first).count == 2)
  }

  @Test(.timeLimit(.minutes(1))) func `a pool's wait covers jobs that wait, run and are cancelled`()
    async
  {
    let pool = WorkerPool(width: 1)
    let ran = Atomic(0)
    let tickets = (0..<100).map { _ in
      pool.submit { _ in ran.add(1, ordering: .relaxed) }
    }
    tickets[50].cancel()
    tickets[50].cancel()
    await pool.finishSubmitted()
    #expect([99, 100].contains(ran.load(ordering: .relaxed)))
    await pool.finishSubmitted()
  }
}
