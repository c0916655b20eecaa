import Flow
import Synchronization
import Testing

/// Which type a chain has: written out, so that another one does not compile.
@Suite struct TypingTests {
  private struct Other: Error {}
  private let able = PassthroughSubject<Int, Never>()
  private let failing = Fail<Int, Trouble>(error: .small)

  @Test func `a closure that throws one type of error makes that the failure`() {
    let typed: some Publisher<Int, Trouble> = able.tryMap { _ throws(Trouble) in throw .large }
    let same: some Publisher<Int, Trouble> = failing.tryFilter { n throws(Trouble) in n > 0 }
    expectTypes(typed, same)
    let reduced: some Publisher<Int, Trouble> = (1...3).publisher.tryReduce(0) {
      sum, n throws(Trouble) in
      if n == 3 { throw .large }
      return sum + n
    }
    #expect(reduced.record().failure == .large)
  }

  @Test func `closures that throw anything make the failure any error, as they do in Combine`() {
    @Sendable func odd(_ n: Int) throws -> Bool {
      if n > 8 { throw Other() }
      return n % 2 == 1
    }
    let all: [AnyPublisher<Int, any Error>] = [
      failing.tryMap { n in try odd(n) ? 1 : 0 }.eraseToAnyPublisher(),
      failing.tryFilter { n in try odd(n) }.eraseToAnyPublisher(),
      failing.tryCompactMap { n in try odd(n) ? n : nil }.eraseToAnyPublisher(),
      failing.tryScan(0) { sum, n in try odd(n) ? sum : n }.eraseToAnyPublisher(),
      failing.tryReduce(0) { sum, n in try odd(n) ? sum : n }.eraseToAnyPublisher(),
      failing.tryRemoveDuplicates { _, n in try odd(n) }.eraseToAnyPublisher(),
      failing.tryPrefix { n in try odd(n) }.eraseToAnyPublisher(),
      failing.tryDrop { n in try odd(n) }.eraseToAnyPublisher(),
      failing.tryFirst { n in try odd(n) }.eraseToAnyPublisher(),
      failing.tryLast { n in try odd(n) }.eraseToAnyPublisher(),
      failing.tryMax { _, n in try odd(n) }.eraseToAnyPublisher(),
      failing.tryMin { _, n in try odd(n) }.eraseToAnyPublisher(),
      failing.tryContains { n in try odd(n) }.map { _ in 0 }.eraseToAnyPublisher(),
      failing.tryAllSatisfy { n in try odd(n) }.map { _ in 0 }.eraseToAnyPublisher(),
    ]
    for stream in all { #expect(stream.record().failure is Trouble) }
    let thrown: AnyPublisher<Int, any Error> = [1, 9].publisher
      .tryFilter { n in try odd(n) }.eraseToAnyPublisher()
    #expect(thrown.record().failure is Other)
    let caught: AnyPublisher<Int, any Error> = failing.tryCatch { error -> Just<Int> in
      if error == .small { throw Other() }
      return Just(1)
    }.eraseToAnyPublisher()
    #expect(caught.record().failure is Other)
  }

  @Test func `made streams may fail where the source cannot, and the other way round`() {
    let flat: some Publisher<Int, Trouble> = Just(1).flatMap { _ in
      Fail<Int, Trouble>(error: .small)
    }
    let concat: some Publisher<Int, Trouble> = Just(1).concatMap { _ in
      Fail<Int, Trouble>(error: .small)
    }
    let latest: some Publisher<Int, Trouble> = Just(1).flatMapLatest { _ in
      Fail<Int, Trouble>(error: .small)
    }
    #expect(flat.record().failure == .small)
    #expect(concat.record().failure == .small)
    #expect(latest.record().failure == .small)
    let source = [1, 2].publisher.setFailureType(to: Trouble.self)
    #expect(source.concatMap { Just($0 * 2) }.record().values == [2, 4])
    #expect(source.flatMapLatest { Just($0 * 2) }.record().values == [2, 4])
    #expect([1, 2].publisher.concatMap { Just($0 * 2) }.record().values == [2, 4])
    #expect([1, 2].publisher.flatMapLatest { Just($0 * 2) }.record().values == [2, 4])
  }

  @Test func `a key path serves as a transform`() {
    #expect(["flow", "ab"].publisher.map(\.count).record().values == [4, 2])
    let pairs = ["flow"].publisher.map(\.count, \.isEmpty).map { "\($0) \($1)" }
    #expect(pairs.record().values == ["4 false"])
  }

  @Test func `lines may be printed to a stream of text`() {
    let log = TextLog()
    (1...2).publisher.print("n", to: log).sink { _ in }.cancel()
    #expect(
      log.text.withLock { $0 } == """
        n: receive subscription: (Sequence)
        n: request unlimited
        n: receive value: (1)
        n: receive value: (2)
        n: receive finished

        """)
  }

  private func expectTypes(_ streams: any Publisher<Int, Trouble>...) {
    #expect(streams.count == 2)
  }
}

private final class TextLog: TextOutputStream, Sendable {
  let text = Mutex("")
  func write(_ string: String) { text.withLock { $0 += string } }
}
