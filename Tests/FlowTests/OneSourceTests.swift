import Dispatch
import Flow
import Synchronization
import Testing

@Suite struct OneSourceTests {
  @Test func `scan sends each partial result`() {
    #expect((1...4).publisher.scan(0, +).record().values == [1, 3, 6, 10])
    #expect((1...4).publisher.scan(0, +).record(.max(2)).values == [1, 3])
    let failing = (1...4).publisher.tryScan(0) { sum, value throws(Trouble) in
      if value == 3 { throw .small }
      return sum + value
    }.record()
    #expect(failing.values == [1, 3])
    #expect(failing.failure == .small)
  }

  @Test func `duplicates in a row are dropped and replaced in the demand`() {
    let recorder = [1, 1, 2, 2, 1].publisher.removeDuplicates().record(.max(3))
    #expect(recorder.values == [1, 2, 1])
    #expect(recorder.isFinished)
  }

  @Test func `drop lets later values pass`() {
    #expect((1...4).publisher.dropFirst(2).record(.max(1)).values == [3])
    #expect([1, 3, 1].publisher.drop { $0 < 3 }.record().values == [3, 1])
  }

  @Test func `prefix ends by itself and cancels the source`() {
    let cancels = Counter()
    let source = (1...).publisher.handleEvents(receiveCancel: { cancels.up() })
    let counted = source.prefix(3).record()
    #expect(counted.values == [1, 2, 3])
    #expect(counted.isFinished)
    #expect(source.prefix(0).record(.none).isFinished)
    #expect(source.prefix { $0 < 3 }.record().values == [1, 2])
    #expect(source.first { $0 > 5 }.record(.max(1)).values == [6])
    #expect(source.first().record().values == [1])
    #expect(cancels.count == 5)
  }

  @Test func `a subscriber that cancels at the last value hears no end`() {
    let own = Mutex<Recorder<Int, Never>?>(nil)
    let recorder = Recorder<Int, Never> { _ in
      own.withLock { $0 }?.cancel()
      return .none
    }
    own.withLock { $0 = recorder }
    (1...).publisher.prefix(1).subscribe(recorder)
    #expect(recorder.values == [1])
    #expect(recorder.completions == 0)
    own.withLock { $0 = nil }
  }

  @Test func `results of a whole stream come when asked for`() {
    let sum = (1...4).publisher.reduce(0, +).record(.none)
    #expect(sum.values == [])
    sum.request(.max(1))
    #expect(sum.values == [10])
    #expect(sum.isFinished)
    #expect((1...3).publisher.collect().record().values == [[1, 2, 3]])
    #expect((1...3).publisher.count().record().values == [3])
    #expect((1...9).publisher.last { $0 < 5 }.record().values == [4])
    #expect([Int]().publisher.last().record().values == [])
    #expect((1...).publisher.contains(7).record().values == [true])
    #expect((1...).publisher.allSatisfy { $0 < 7 }.record().values == [false])
    #expect([2, 3, 1].publisher.max().record().values == [3])
    #expect([2, 3, 1].publisher.min().record().values == [1])
    #expect(Fail<Int, Trouble>(error: .small).collect().record().failure == .small)
  }

  @Test func `collect by count asks for whole arrays and sends the rest at the end`() {
    let recorder = (1...5).publisher.collect(2).record(.max(1))
    #expect(recorder.values == [[1, 2]])
    recorder.request(.max(5))
    #expect(recorder.values == [[1, 2], [3, 4], [5]])
    #expect(recorder.isFinished)
  }

  @Test func `nothing is replaced by something`() {
    #expect([Int]().publisher.replaceEmpty(with: 7).record(.max(1)).values == [7])
    #expect([Int]().publisher.replaceEmpty(with: 7).record(.none).completions == 0)
    #expect([1].publisher.replaceEmpty(with: 7).record().values == [1])
    #expect(["1", "x"].publisher.map { Int($0) }.replaceNil(with: 0).record().values == [1, 0])
    #expect((1...3).publisher.ignoreOutput().record(.none).isFinished)
  }

  @Test func `materialize and dematerialize tell the end as a value`() {
    let events = [1].publisher.setFailureType(to: Trouble.self).append(Fail(error: Trouble.small))
      .materialize().record()
    #expect(events.values == [.value(1), .completion(.failure(.small))])
    #expect(events.isFinished)
    let back = events.values.publisher.dematerialize().record()
    #expect(back.values == [1])
    #expect(back.failure == .small)
  }

  @Test func `print tells everything that passes`() {
    let lines = Mutex<[String]>([])
    let recorder = (1...3).publisher.print("n") { line in lines.withLock { $0.append(line) } }
      .prefix(1).record()
    #expect(recorder.values == [1])
    #expect(
      lines.withLock { $0 } == [
        "n: receive subscription: (Sequence)", "n: request unlimited", "n: receive value: (1)",
        "n: receive cancel",
      ])
  }

  @Test func `try variants fail with the type that is thrown`() {
    let compact = (1...3).publisher.tryCompactMap { value throws(Trouble) -> Int? in
      if value == 3 { throw .large }
      return value == 1 ? nil : value
    }.record()
    #expect(compact.values == [2])
    #expect(compact.failure == .large)
    let filtered = (1...3).publisher.tryFilter { value throws(Trouble) in value > 1 }.record()
    #expect(filtered.values == [2, 3])
    let caught = Fail<Int, Trouble>(error: .small).tryCatch {
      _ throws(Trouble) -> Just<Int>.Failing in
      throw .large
    }.record()
    #expect(caught.failure == .large)
  }

  @Test func `handleEvents tells each thing before it passes`() {
    let told = Mutex<[String]>([])
    let note: @Sendable (String) -> Void = { line in told.withLock { $0.append(line) } }
    let recorder = (1...9).publisher.handleEvents(
      receiveSubscription: { note("subscription \($0)") }, receiveOutput: { note("value \($0)") },
      receiveCompletion: { note("end \($0)") }, receiveCancel: { note("cancel") },
      receiveRequest: { note("request \($0)") }
    ).map { value in
      note("passed \(value)")
      return value
    }.record(.max(1))
    recorder.cancel()
    recorder.cancel()
    #expect(
      told.withLock { $0 } == [
        "subscription Sequence", "request max(1)", "value 1", "passed 1", "cancel",
      ])
  }

  @Test func `retry starts again as often as allowed and keeps the demand`() {
    let attempts = Counter()
    let failing = Deferred {
      attempts.up()
      return [1, 2].publisher.setFailureType(to: Trouble.self).append(Fail(error: .small))
    }
    let recorder = failing.retry(2).record(.max(5))
    #expect(recorder.values == [1, 2, 1, 2, 1])
    #expect(attempts.count == 3)
    recorder.request(.max(5))
    #expect(recorder.values == [1, 2, 1, 2, 1, 2])
    #expect(recorder.failure == .small)
  }

  @Test func `a failure that was said not to come stops the program`() async {
    await #expect(processExitsWith: .failure) {
      Fail<Int, Trouble>(error: .small).assertNoFailure("said so").sink { _ in }.cancel()
    }
  }

  @Test func `a hundred thousand retries need no deep stack`() {
    let attempts = Counter()
    let recorder = Deferred {
      attempts.up()
      return Fail<Int, Trouble>(error: .small)
    }.retry(100_000).record()
    #expect(recorder.failure == .small)
    #expect(attempts.count == 100_001)
  }

  @Test func `a retry policy decides by kind, count, backoff and what the failure asks`() {
    let policy = RetryPolicy<Trouble>(
      attempts: 3, backoff: .exponential(from: .seconds(1), atMost: .seconds(3)), jitter: 0.5,
      requestedDelay: { $0 == .large ? .seconds(9) : nil }, random: { 0 })
    var state = RetryState(policy)
    #expect(state.failed(.small) == .tryAgain(after: .milliseconds(500)))
    #expect(state.failed(.small) == .tryAgain(after: .seconds(1)))
    #expect(state.failed(.large) == .tryAgain(after: .seconds(9)))
    #expect(state.failed(.small) == .giveUp)
    var picky = RetryState(RetryPolicy<Trouble>(attempts: 3) { $0 == .small })
    #expect(picky.failed(.large) == .giveUp)
  }

  @Test(arguments: [
    (Duration.nanoseconds(1), 1e300), (.seconds(-5), 1e300), (.seconds(Int64.max), 2),
    (.seconds(1), .nan), (.seconds(1), -1e300), (.seconds(Int64.min), -2), (.zero, .infinity),
  ])
  func `a wait that can not be written is the longest allowed, or none`(
    first: Duration, factor: Double
  ) {
    let longest = Duration.seconds(30)
    var state = RetryState(
      RetryPolicy<Trouble>(
        attempts: 50, backoff: .exponential(from: first, factor: factor, atMost: longest),
        jitter: .infinity, random: { 0.5 }))
    for _ in 1...50 {
      guard case .tryAgain(let wait) = state.failed(.small) else {
        Issue.record("gave up")
        return
      }
      #expect(wait <= longest)
    }
  }

  @Test func `append and prepend run one after the other`() {
    let recorder = (1...2).publisher.append(3, 4).prepend([0]).record(.max(4))
    #expect(recorder.values == [0, 1, 2, 3])
    recorder.request(.max(1))
    #expect(recorder.values == [0, 1, 2, 3, 4])
    #expect(recorder.isFinished)
    let subscribed = Counter()
    let second = Just(2).handleEvents(receiveSubscription: { _ in subscribed.up() })
    let quiet = NeverEnding<Int, Never>().append(second).record()
    quiet.cancel()
    #expect(subscribed.count == 0)
  }

  @Test func `a future tells all its subscribers the one result`() async {
    let promise = Mutex<Future<Int, Trouble>.Promise?>(nil)
    let future = Future<Int, Trouble> { given in promise.withLock { $0 = given } }
    let early = future.record()
    promise.withLock { $0 }?(.success(1))
    promise.withLock { $0 }?(.success(2))
    #expect(early.values == [1])
    #expect(future.record(.max(1)).isFinished)
    let fromAsync = Future<Int, Never> { 5 }
    #expect(await fromAsync.first() == 5)
  }

  @Test func `an asynchronous sequence becomes a stream and back`() async {
    let stream = AsyncStream<Int> { continuation in
      for n in 1...5 { continuation.yield(n) }
      continuation.finish()
    }
    var seen: [Int] = []
    for await value in stream.asyncPublisher.map({ $0 * 2 }).values { seen.append(value) }
    #expect(seen == [2, 4, 6, 8, 10])
    var results: [Result<Int, Trouble>] = []
    for await result in [1].publisher.setFailureType(to: Trouble.self).append(
      Fail(error: Trouble.small)
    ).results {
      results.append(result)
    }
    #expect(results == [.success(1), .failure(.small)])
  }
}

extension Just {
  /// A stream of the same values that could fail.
  typealias Failing = Publishers.SetFailureType<Self, Trouble>
}
