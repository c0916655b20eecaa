import Testing

@testable import Pipeline

struct WorkQueueStateTests {
  @Test func `jobs run by priority, then in order of arrival`() {
    var state = WorkQueueState<Int>(width: 1)
    _ = state.add(1, at: .low)
    _ = state.add(2, at: .normal)
    _ = state.add(3, at: .veryHigh)
    _ = state.add(4, at: .normal)
    let order = (0..<5).map { _ in state.next() }
    #expect(order == [3, 2, 4, 1, nil])
  }

  @Test func `no more workers than the width are started, and one that left can be started again`()
  {
    var state = WorkQueueState<Int>(width: 2)
    let starts = (0..<4).map { state.add($0, at: .normal) }
    #expect(starts == [true, true, false, false])
    let taken = (0..<5).map { _ in state.next() }
    #expect(taken == [0, 1, 2, 3, nil])
    #expect(state.workerCount == 1)
    let startsAgain = state.add(9, at: .normal)
    #expect(startsAgain)
  }

  @Test func `a moved job takes its place in the new line and leaves the old one`() {
    var state = WorkQueueState<Int>(width: 1)
    for job in 1...3 { _ = state.add(job, at: .low) }
    state.move(3, to: .high)
    let order = (0..<4).map { _ in state.next() }
    #expect(order == [3, 1, 2, nil])
  }

  @Test func `a removed job never runs, and moving it back does not revive it`() {
    var state = WorkQueueState<Int>(width: 1)
    _ = state.add(1, at: .normal)
    _ = state.add(2, at: .normal)
    state.remove(1)
    state.move(1, to: .veryHigh)
    #expect(state.waitingCount == 1)
    let order = (0..<2).map { _ in state.next() }
    #expect(order == [2, nil])
  }
}
