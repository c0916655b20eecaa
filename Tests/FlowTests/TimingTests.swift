import Dispatch
import Flow
import FlowTesting
import Synchronization
import Testing

@Suite struct TimingTests {
  @Test func `a queue's timer takes any interval`() async {
    let queue = DispatchQueue(label: "timer")
    for interval in [Duration.seconds(-1), .seconds(Int64.min), .zero, .seconds(Int64.max)] {
      let (ticks, feed) = AsyncStream<Void>.makeStream()
      let timer = queue.schedule(
        after: queue.now, interval: interval, tolerance: interval, options: nil
      ) { feed.yield() }
      for await _ in ticks { break }
      timer.cancel()
    }
  }

  @Test func `debounce sends what nothing followed, and the last at the end`() {
    #expect(
      marbles("ab---c--|", "---b---c|") { $0.debounce(for: .ticks(2), scheduler: $1) } == .match)
    #expect(
      marbles("abc|", "---(c|)") { $0.debounce(for: .ticks(2), scheduler: $1) } == .match)
    #expect(marbles("ab#", "--#") { $0.debounce(for: .ticks(2), scheduler: $1) } == .match)
    #expect(
      marbles("a---", "", cancelAt: 1) { $0.debounce(for: .ticks(2), scheduler: $1) } == .match)
    #expect(
      marbles("a---b---c---|", "--a", demand: .max(1)) {
        $0.debounce(for: .ticks(2), scheduler: $1)
      } == .match)
  }

  @Test func `throttle sends the first at once and then one an interval`() {
    #expect(
      marbles("abcd----e--|", "a--d----e--|") {
        $0.throttle(for: .ticks(3), scheduler: $1, latest: true)
      } == .match)
    #expect(
      marbles("abcd----e--|", "a--b----e--|") {
        $0.throttle(for: .ticks(3), scheduler: $1, latest: false)
      } == .match)
    #expect(
      marbles("ab#", "a-#") { $0.throttle(for: .ticks(3), scheduler: $1, latest: true) } == .match)
    #expect(
      marbles("ab---", "a", cancelAt: 2) {
        $0.throttle(for: .ticks(3), scheduler: $1, latest: true)
      } == .match)
  }

  @Test func `delay keeps order and distance, the end included`() {
    #expect(marbles("ab-c|", "--ab-c|") { $0.delay(for: .ticks(2), scheduler: $1) } == .match)
    #expect(marbles("a#", "--a#") { $0.delay(for: .ticks(2), scheduler: $1) } == .match)
    #expect(
      marbles("abc", "--a", cancelAt: 3) { $0.delay(for: .ticks(2), scheduler: $1) } == .match)
    #expect(
      marbles("abc|", "--ab", demand: .max(2)) { $0.delay(for: .ticks(2), scheduler: $1) }
        == .match)
  }

  @Test func `delay tells its scheduler how late it may be`() {
    let scheduler = LenientScheduler()
    (1...2).publisher.delay(for: .ticks(2), tolerance: .ticks(1), scheduler: scheduler)
      .sink { _ in }.cancel()
    #expect(scheduler.tolerances.withLock { $0 } == [.ticks(1)])
    let (exact, delay) = (LenientScheduler(), Duration.ticks(2))
    Just(1).delay(for: delay, scheduler: exact).sink { _ in }.cancel()
    #expect(exact.tolerances.withLock { $0 } == [exact.minimumTolerance])
  }

  @Test func `timeout ends a stream that is silent for too long`() {
    #expect(marbles("a-b-----c|", "a-b--|") { $0.timeout(.ticks(3), scheduler: $1) } == .match)
    #expect(marbles("---------", "---|") { $0.timeout(.ticks(3), scheduler: $1) } == .match)
    #expect(marbles("a-b|", "a-b|") { $0.timeout(.ticks(3), scheduler: $1) } == .match)
    #expect(
      marbles("a---", "a", cancelAt: 1) { $0.timeout(.ticks(3), scheduler: $1) } == .match)
    let scheduler = VirtualScheduler()
    let recorder = NeverEnding<Int, Trouble>().timeout(
      .ticks(3), scheduler: scheduler, customError: { .large }
    ).record()
    scheduler.advance(by: .ticks(3))
    #expect(recorder.failure == .large)
    #expect(scheduler.isIdle)
  }

  @Test func `collect by time sends what came, and full arrays at once`() {
    let collected = marbles(
      "ab--c-|", "--x---(y|)", values: ["x": ["a", "b"], "y": ["c"]]
    ) { $0.collect(.byTime($1, .ticks(2))) }
    #expect(collected == .match)
    let full = marbles("abc---|", "-x--y-|", values: ["x": ["a", "b"], "y": ["c"]]) {
      $0.collect(.byTimeOrCount($1, .ticks(2), 2))
    }
    #expect(full == .match)
  }

  @Test func `retry waits as its policy says, and cancel ends the waiting`() {
    let scheduler = VirtualScheduler()
    let attempts = Counter()
    let source = Deferred {
      attempts.up()
      return Fail<Int, Trouble>(error: .small)
    }
    let policy = RetryPolicy<Trouble>(
      attempts: 2, backoff: .exponential(from: .ticks(2), atMost: .ticks(10)))
    let recorder = source.retry(policy, scheduler: scheduler).record()
    #expect(attempts.count == 1)
    scheduler.advance(by: .ticks(2))
    #expect(attempts.count == 2)
    scheduler.advance(by: .ticks(4))
    #expect(attempts.count == 3)
    #expect(recorder.failure == .small)
    let stopped = source.retry(policy, scheduler: scheduler).record()
    stopped.cancel()
    scheduler.advance(by: .ticks(9))
    #expect(attempts.count == 4)
    #expect(stopped.completions == 0)
  }

  @Test func `intervals are measured on the scheduler's clock`() {
    let scheduler = VirtualScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.measureInterval(using: scheduler).record()
    scheduler.advance(by: .ticks(2))
    subject.send(1)
    scheduler.advance(by: .ticks(5))
    subject.send(2)
    #expect(recorder.values == [.ticks(2), .ticks(5)])
  }

  @Test func `the immediate scheduler makes time stand still`() {
    let scheduler = ImmediateScheduler.shared
    #expect((1...3).publisher.delay(for: .seconds(9), scheduler: scheduler).record().isFinished)
    #expect(
      (1...3).publisher.debounce(for: .seconds(9), scheduler: scheduler).record().values == [
        1, 2, 3,
      ])
  }
}

/// Never runs anything; notes how late it was allowed to be.
private final class LenientScheduler: Scheduler {
  let tolerances = Mutex<[Duration]>([])
  let minimumTolerance = Duration.nanoseconds(5)
  var now: VirtualTime { VirtualTime() }

  func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {}

  func schedule(
    after date: VirtualTime, tolerance: Duration, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) {
    tolerances.withLock { $0.append(tolerance) }
  }

  func schedule(
    after date: VirtualTime, interval: Duration, tolerance: Duration, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    Subscriptions.empty
  }
}
