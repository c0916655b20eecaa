import Flow
import FlowTesting
import Synchronization
import Testing

/// Demand is real: a slow end holds back a fast source.
@Suite(.timeLimit(.minutes(1))) struct BackpressureTests {
  @Test func `flatMap runs six publishers at a time and asks for no more`() {
    let source = Probe()
    let running = Gauge()
    let inners = Mutex<[PassthroughSubject<Int, Trouble>]>([])
    let recorder = source.flatMap(maxPublishers: .max(6)) { number in
      let inner = PassthroughSubject<Int, Trouble>()
      inners.withLock { $0.append(inner) }
      return inner.handleEvents(
        receiveSubscription: { _ in running.up() }, receiveCompletion: { _ in running.down() })
    }.record()
    #expect(source.demand == .max(6))
    for number in 1...6 { source.send(number) }
    #expect(source.demand == .none)
    source.send(7)
    #expect(running.now == 6)
    for next in 7...20 {
      let first = inners.withLock { $0.removeFirst() }
      first.send(next)
      first.send(completion: .finished)
      #expect(source.demand == .max(1))
      source.send(next)
    }
    #expect(running.highest == 6)
    source.send(completion: .finished)
    for inner in inners.withLock({ $0 }) { inner.send(completion: .finished) }
    #expect(recorder.values == Array(7...20))
    #expect(recorder.isFinished)
  }

  @Test func `flatMap runs at most six publishers when eight threads finish them`() {
    let running = Gauge()
    let started = Mutex<[Emitter<Int, Never>]>([])
    let recorder = (1...400).publisher.flatMap(maxPublishers: .max(6)) { number in
      Create<Int, Never> { emitter in
        running.up()
        emitter.send(number)
        started.withLock { $0.append(emitter) }
      }
    }.record()
    onThreads(8) { _ in
      while recorder.completions == 0 {
        guard let emitter = started.withLock({ $0.popLast() }) else { continue }
        running.down()
        emitter.send(completion: .finished)
      }
    }
    #expect(running.highest == 6)
    #expect(recorder.values.sorted() == Array(1...400))
    #expect(recorder.isFinished)
  }

  @Test(arguments: [
    (Publishers.BufferingStrategy<Trouble>.dropOldest, [8, 9, 10], nil as Trouble?),
    (.dropNewest, [1, 2, 3], nil), (.customError { .large }, [1, 2, 3], .large),
  ])
  func `a buffer drops, or fails, when more comes than it holds`(
    strategy: Publishers.BufferingStrategy<Trouble>, kept: [Int], failure: Trouble?
  ) {
    let source = Probe()
    let recorder = source.buffer(size: 3, prefetch: .byRequest, whenFull: strategy).record(.none)
    #expect(source.demand == .unlimited)
    for number in 1...10 { source.send(number) }
    #expect(recorder.values == [])
    recorder.request(.max(1))
    #expect(recorder.values == [kept[0]])
    recorder.request(.unlimited)
    #expect(recorder.values == kept)
    #expect(recorder.failure == failure)
    source.send(completion: .finished)
    #expect(recorder.completions == 1)
  }

  @Test func `a buffer that is kept full asks for its size, and again for what left`() {
    let source = Probe()
    let recorder = source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).record(.none)
    #expect(source.demand == .max(3))
    for number in 1...5 { source.send(number) }
    #expect(source.demand == .none)
    recorder.request(.max(2))
    #expect(recorder.values == [1, 2])
    #expect(source.demand == .max(2))
    for number in 6...9 { source.send(number) }
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2, 3, 6, 7])
  }

  @Test func `a slow loop over the values of a fast source is one value behind at most`() async {
    let made = Counter()
    var taken = 0
    for await number in (1...1_000_000).publisher.handleEvents(receiveOutput: { _ in made.up() })
      .values
    {
      taken += 1
      #expect(number == taken)
      await Task.yield()
      #expect(made.count - taken <= 1)
      if taken == 100 { break }
    }
    #expect(made.count <= 101)
  }

  @Test func `a slow loop over a buffer holds what the buffer holds`() async {
    let made = Counter()
    var taken = 0
    let buffered = (1...1_000_000).publisher.handleEvents(receiveOutput: { _ in made.up() })
      .buffer(size: 16, prefetch: .keepFull, whenFull: .dropNewest)
    for await number in buffered.values {
      taken += 1
      #expect(number == taken)
      await Task.yield()
      #expect(made.count - taken <= 17)
      if taken == 100 { break }
    }
    #expect(made.count > 100)
    #expect(made.count <= 117)
  }

  @Test func `collect by count asks for whole arrays, collect for everything`() {
    let (source, all) = (Probe(), Probe())
    let recorder = source.collect(4).record(.max(2)) { $0 == [1, 2, 3, 4] ? .max(1) : .none }
    #expect(source.demand == .max(8))
    for number in 1...4 { source.send(number) }
    #expect(source.demand == .max(8))
    recorder.request(.max(.max))
    #expect(source.demand == .unlimited)

    let whole = all.collect().record(.none)
    whole.request(.max(1))
    #expect(all.demand == .unlimited)
    for number in 1...3 { all.send(number) }
    all.send(completion: .finished)
    #expect(whole.values == [[1, 2, 3]])
  }

  @Test func `sources that are merged or zipped are one value ahead at most`() {
    for pairs in [false, true] {
      let (left, right) = (Probe(), Probe())
      let recorder =
        pairs
        ? left.zip(right).map { $0 + $1 }.eraseToAnyPublisher().record(.max(1))
        : left.merge(with: right).eraseToAnyPublisher().record(.max(1))
      for number in 1...5 { left.send(number) }
      for number in 1...5 { right.send(number) }
      #expect(left.demand <= .max(1))
      #expect(right.demand <= .max(1))
      #expect(recorder.values == (pairs ? [2] : [1]))
    }
  }
}

/// How many there are, and how many there were at most.
private final class Gauge: Sendable {
  private let state = Mutex((now: 0, highest: 0))
  func up() {
    state.withLock { state in
      state.now += 1
      state.highest = max(state.highest, state.now)
    }
  }
  func down() { state.withLock { $0.now -= 1 } }
  var now: Int { state.withLock { $0.now } }
  var highest: Int { state.withLock { $0.highest } }
}
