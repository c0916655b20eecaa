import Dispatch
import Flow
import FlowTesting
import Synchronization
import Testing

@Suite struct VirtualSchedulerTests {
  let scheduler = VirtualScheduler()

  @Test func `work runs by date, and in the order of scheduling where dates are equal`() {
    let log = Log()
    for (tick, name) in [(3, "c"), (1, "a"), (3, "d"), (2, "b")] {
      scheduler.schedule(after: VirtualTime(offset: .ticks(tick))) { [scheduler] in
        log.add("\(name)\(scheduler.now.ticks)")
      }
    }
    scheduler.schedule { log.add("now") }
    #expect(log.lines == [])
    scheduler.advance(by: .ticks(2))
    #expect(log.lines == ["now", "a1", "b2"])
    scheduler.advance(to: VirtualTime(offset: .ticks(9)))
    #expect(log.lines == ["now", "a1", "b2", "c3", "d3"])
    #expect(scheduler.now.ticks == 9)
    #expect(scheduler.isIdle)
  }

  @Test func `work scheduled in reply runs in the same advance when it is due`() {
    let log = Log()
    scheduler.schedule { [scheduler] in
      scheduler.schedule(after: scheduler.now.advanced(by: .ticks(2))) { log.add("second") }
      scheduler.schedule(after: scheduler.now.advanced(by: .ticks(5))) { log.add("late") }
    }
    scheduler.advance(by: .ticks(3))
    #expect(log.lines == ["second"])
    scheduler.run()
    #expect(log.lines == ["second", "late"])
    #expect(scheduler.now.ticks == 5)
  }

  @Test func `repeating work goes on until cancelled, and run does not wait for it`() {
    let log = Log()
    let timer = scheduler.schedule(
      after: VirtualTime(offset: .ticks(1)), interval: .ticks(2)
    ) { [scheduler] in log.add("\(scheduler.now.ticks)") }
    scheduler.schedule(after: VirtualTime(offset: .ticks(4))) { log.add("once") }
    scheduler.run()
    #expect(log.lines == ["1", "3", "once"])
    scheduler.advance(by: .ticks(1))
    #expect(log.lines.last == "5")
    timer.cancel()
    #expect(scheduler.isIdle)
    scheduler.advance(by: .ticks(100))
    #expect(log.lines.count == 4)
  }

  @Test func `advancing from inside an action extends the run and nests nothing`() {
    let log = Log()
    for tick in 1...3 {
      scheduler.schedule(after: VirtualTime(offset: .ticks(tick))) { [scheduler] in
        log.add("in")
        scheduler.advance(by: .ticks(1))
        log.add("out")
      }
    }
    scheduler.advance(by: .ticks(1))
    #expect(log.lines == ["in", "out", "in", "out", "in", "out"])
    #expect(scheduler.now.ticks == 4)
  }

  @Test func `a hundred thousand actions, each scheduled by the one before, need no deep stack`() {
    let count = Counter()
    @Sendable func again() {
      count.up()
      if count.count < 100_000 { scheduler.schedule { again() } }
    }
    scheduler.schedule { again() }
    scheduler.advance()
    #expect(count.count == 100_000)
  }

  @Test func `threads may schedule and advance together: all runs, one at a time`() {
    let inside = Atomic<Int>(0)
    let overlaps = Atomic<Int>(0)
    let ran = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for n in 0..<500 {
        scheduler.schedule(after: VirtualTime(offset: .ticks(n % 7))) {
          if inside.add(1, ordering: .relaxed).newValue != 1 {
            overlaps.add(1, ordering: .relaxed)
          }
          ran.add(1, ordering: .relaxed)
          inside.subtract(1, ordering: .relaxed)
        }
        if n % 50 == thread { scheduler.advance(by: .ticks(1)) }
      }
    }
    scheduler.run()
    #expect(ran.load(ordering: .relaxed) == 4000)
    #expect(overlaps.load(ordering: .relaxed) == 0)
  }
}

/// Lines that several closures write.
final class Log: Sendable {
  private let content = Mutex<[String]>([])
  func add(_ line: String) { content.withLock { $0.append(line) } }
  var lines: [String] { content.withLock { $0 } }
}
