import Flow
import Synchronization
import Testing

/// Streams as asynchronous sequences and the other way round, with cancellation both ways.
@Suite struct AsyncBridgeTests {
  @Test func `a loop asks for one value at a time, so a fast source waits for it`() async {
    let made = Counter()
    var iterator = (1...).publisher.handleEvents(receiveOutput: { _ in made.up() }).values
      .makeAsyncIterator()
    #expect(made.count == 0)
    for number in 1...3 {
      #expect(await iterator.next() == number)
      #expect(made.count == number)
    }
  }

  @Test func `a loop over a source that does not wait holds no more than the buffer before it`()
    async
  {
    let source = PassthroughSubject<Int, Never>()
    var iterator = source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).values
      .makeAsyncIterator()
    for number in 1...100 { source.send(number) }
    source.send(completion: .finished)
    #expect(await iterator.next() == 99)
    #expect(await iterator.next() == 100)
    #expect(await iterator.next() == nil)
    #expect(await iterator.next() == nil)
  }

  @Test func `a failure is thrown after the values, once, by its own type`() async throws {
    var iterator = [1].publisher.setFailureType(to: Trouble.self).append(Fail(error: .small))
      .values.makeAsyncIterator()
    #expect(try await iterator.next() == 1)
    do throws(Trouble) {
      _ = try await iterator.next()
      Issue.record("nothing was thrown")
    } catch {
      #expect(error == .small)
    }
    #expect(try await iterator.next() == nil)
  }

  @Test func `cancelling the task ends its loop and cancels the stream, also while it waits`() async
  {
    let (asked, cancelled) = (Signal(), Signal())
    let silent = NeverEnding<Int, Never>().handleEvents(
      receiveCancel: { cancelled.set() }, receiveRequest: { _ in asked.set() })
    let task = Task {
      for await _ in silent.values {}
      return Task.isCancelled
    }
    await asked.wait()
    task.cancel()
    await cancelled.wait()
    #expect(await task.value)
  }

  @Test func `letting go of an iterator cancels its stream`() async {
    let cancels = Counter()
    let source = (1...).publisher.handleEvents(receiveCancel: { cancels.up() })
    do {
      var iterator = source.values.makeAsyncIterator()
      #expect(await iterator.next() == 1)
      #expect(cancels.count == 0)
    }
    #expect(cancels.count == 1)
  }

  @Test @MainActor func `a loop on the main actor stays there`() async {
    var seen = 0
    for await number in (1...3).publisher.values {
      MainActor.assertIsolated()
      seen += number
    }
    #expect(seen == 6)
  }

  @Test func `a sequence is asked for as many elements as are demanded`() async {
    let (sequence, next) = AsyncStream<Int>.makeStream()
    for number in 1...5 { next.yield(number) }
    next.finish()
    let heard = ReplaySubject<Int, Never>()
    let recorder = Recorder<Int, Never>(.max(2)) { value in
      heard.send(value)
      return .none
    }
    sequence.asyncPublisher.subscribe(recorder)
    _ = await heard.first { $0 == 2 }.first()
    #expect(recorder.values == [1, 2])
    recorder.request(.max(1))
    _ = await heard.first { $0 == 3 }.first()
    #expect(recorder.values == [1, 2, 3])
    recorder.cancel()
  }

  @Test func `cancelling the stream cancels the task that iterates`() async {
    let (waiting, ended) = (Signal(), Signal())
    let (sequence, next) = AsyncStream<Int>.makeStream()
    next.onTermination = { reason in
      if case .cancelled = reason { ended.set() }
    }
    let task = sequence.asyncPublisher.sink { _ in waiting.set() }
    next.yield(1)
    await waiting.wait()
    task.cancel()
    await ended.wait()
  }

  @Test func `what a sequence throws fails the stream by its own type`() async {
    let failing = ThrowingCountdown(left: 2)
    let results = failing.asyncPublisher.results
    var heard: [Result<Int, Trouble>] = []
    for await result in results { heard.append(result) }
    #expect(heard == [.success(2), .success(1), .failure(.large)])
    // Each subscriber iterates anew.
    await #expect(throws: Trouble.large) { try await failing.asyncPublisher.last().first() }
  }

  @Test func `cancelling at the end of both bridges reaches the source`() async {
    let (heard, cancelled) = (Signal(), Signal())
    let source = CurrentValueSubject<Int, Never>(1)
    let task = source.handleEvents(receiveCancel: { cancelled.set() })
      .values.asyncPublisher.sink { _ in heard.set() }
    await heard.wait()
    task.cancel()
    await cancelled.wait()
  }
}

/// An event that a test waits for.
private struct Signal {
  private let subject = ReplaySubject<Void, Never>(bufferSize: 1)
  func set() { subject.send() }
  func wait() async { _ = await subject.first() }
}

/// Counts down and then throws.
private struct ThrowingCountdown: AsyncSequence, AsyncIteratorProtocol {
  var left: Int

  func makeAsyncIterator() -> Self { self }

  mutating func next(isolation: isolated (any Actor)?) async throws(Trouble) -> Int? {
    if left == 0 { throw .large }
    left -= 1
    return left + 1
  }

  mutating func next() async throws(Trouble) -> Int? { try await next(isolation: nil) }
}
