import Flow
import Synchronization
import Testing

/// What a stream of an asynchronous sequence keeps: the laws of the table, awaited.
@Suite(.timeLimit(.minutes(1))) struct AsyncSourceLawTests {
  @Test func `one subscription comes at once, and each subscriber iterates anew`() async {
    let tape = Tape(count: 3)
    for round in 1...2 {
      let referee = Referee()
      tape.asyncPublisher.subscribe(referee)
      #expect(referee.state.withLock { $0.subscriptions } == 1)
      await eventually { referee.ends == 1 }
      #expect(referee.values == [1, 2, 3])
      #expect(tape.reel.iterators == round)
      #expect(referee.breaches == [])
    }
  }

  @Test func `the sequence is asked for no more than is demanded, and demand adds up`() async {
    let tape = Tape(count: 100)
    let referee = Referee(.none)
    tape.asyncPublisher.subscribe(referee)
    await eventually { tape.reel.iterators == 1 }
    #expect(tape.reel.asked == 0)
    referee.request(.max(2))
    referee.request(.none)
    referee.request(.max(3))
    await eventually { referee.received == 5 }
    #expect(tape.reel.asked == 5)
    referee.request(.max(.max))
    referee.request(.max(.max))
    await eventually { referee.ends == 1 }
    #expect(referee.values == Array(1...100))
    #expect(referee.breaches == [])
  }

  @Test func `what the sequence throws is the failure, once`() async {
    let referee = Referee()
    Tape(count: 2, failure: .small).asyncPublisher.subscribe(referee)
    await eventually { referee.ends == 1 }
    #expect(referee.values == [1, 2])
    #expect(referee.state.withLock { $0.ends } == [.failure(.small)])
    referee.request(.unlimited)
    referee.subscription?.cancel()
    #expect(referee.breaches == [])
  }

  @Test(arguments: [0, 3])
  func `cancel cancels the iterating task, releases all and lets nothing come`(
    count: Int
  ) async {
    weak var witness: Witness?
    let tape = Tape(count: count, hangs: true)
    do {
      let strong = Witness()
      witness = strong
      let referee = Referee { _, _ in withExtendedLifetime(strong) { .none } }
      tape.asyncPublisher.subscribe(referee)
      // It waits for an element that does not come.
      await eventually { tape.reel.isHanging }
      let subscription = referee.subscription
      referee.cancel()
      subscription?.cancel()
      subscription?.request(.unlimited)
      await eventually { tape.reel.wasCancelled }
      #expect(referee.received == count)
      #expect(referee.ends == 0)
      #expect(referee.breaches == [])
    }
    await eventually { witness == nil }
  }

  @Test func `cancel in reply to a value stops at that value`() async {
    let tape = Tape(count: 10)
    let referee = Referee { referee, number in
      if number == 3 { referee.cancel() }
      return .unlimited
    }
    tape.asyncPublisher.subscribe(referee)
    await eventually { tape.reel.isReleased }
    #expect(referee.values == [1, 2, 3])
    #expect(referee.breaches == [])
  }

  @Test func `cancel in reply to the subscription iterates nothing`() async {
    let tape = Tape(count: 10)
    let referee = Referee(.none, onSubscription: { $0.cancel() })
    tape.asyncPublisher.subscribe(referee)
    #expect(tape.reel.iterators == 0)
    #expect(referee.breaches == [])
  }

  @Test func `values come one at a time whoever asks, and none is lost`() async {
    let referee = Referee(.none) { referee, number in
      if number % 3 == 0 { referee.request(.max(1)) }
      return .none
    }
    Tape(count: 400).asyncPublisher.subscribe(referee)
    onThreads(8) { _ in for _ in 0..<50 { referee.request(.max(1)) } }
    await eventually { referee.ends == 1 }
    #expect(referee.values == Array(1...400))
    #expect(referee.breaches == [])
  }

  @Test func `the stack does not grow with the number of elements`() async {
    let referee = Referee(.max(1), keepsValues: false) { _, _ in .max(1) }
    let count = isSanitized ? 10_000 : 100_000
    Tape(count: count).asyncPublisher.subscribe(referee)
    await eventually { referee.ends == 1 }
    #expect(referee.received == count)
    #expect(referee.breaches == [])
  }
}

/// A sequence of 1, 2, 3, … that ends, fails or hangs, and tells what was asked of it.
private struct Tape: AsyncSequence, Sendable {
  typealias Element = Int
  typealias Failure = Trouble

  final class Reel: Sendable {
    struct State: Sendable {
      var (iterators, alive, asked) = (0, 0, 0)
      var (isHanging, wasCancelled) = (false, false)
      var waiting: UnsafeContinuation<Void, Never>?
    }

    let state = Mutex(State())
    var iterators: Int { state.withLock { $0.iterators } }
    var asked: Int { state.withLock { $0.asked } }
    var isHanging: Bool { state.withLock { $0.isHanging } }
    var wasCancelled: Bool { state.withLock { $0.wasCancelled } }
    var isReleased: Bool { state.withLock { $0.iterators > 0 && $0.alive == 0 } }

    /// Waits until the task is cancelled.
    func hang() async {
      await withTaskCancellationHandler {
        await withUnsafeContinuation { continuation in
          let isOver = state.withLock { state in
            state.isHanging = true
            if !state.wasCancelled { state.waiting = continuation }
            return state.wasCancelled
          }
          if isOver { continuation.resume() }
        }
      } onCancel: {
        let waiting = state.withLock { state in
          state.wasCancelled = true
          return state.waiting.take()
        }
        waiting?.resume()
      }
    }
  }

  let count: Int
  var failure: Trouble?
  var hangs = false
  let reel = Reel()

  final class Iterator: AsyncIteratorProtocol {
    private let tape: Tape
    private var next = 1

    init(_ tape: Tape) {
      self.tape = tape
      tape.reel.state.withLock { state in
        state.iterators += 1
        state.alive += 1
      }
    }

    deinit { tape.reel.state.withLock { $0.alive -= 1 } }

    func next() async throws(Trouble) -> Int? { try await next(isolation: nil) }

    func next(isolation: isolated (any Actor)?) async throws(Trouble) -> Int? {
      tape.reel.state.withLock { $0.asked += 1 }
      if next > tape.count {
        if tape.hangs { await tape.reel.hang() }
        if let failure = tape.failure { throw failure }
        return nil
      }
      next += 1
      return next - 1
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(self) }
}
