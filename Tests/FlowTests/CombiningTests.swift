import Dispatch
import Flow
import Synchronization
import Testing

@Suite struct CombiningTests {
  @Test func `flatMap sends what all made publishers send`() {
    let recorder = (1...3).publisher.flatMap { [$0, $0 * 10].publisher }.record()
    #expect(recorder.values == [1, 10, 2, 20, 3, 30])
    #expect(recorder.isFinished)
  }

  @Test func `flatMap honours demand and the number allowed at a time`() {
    let started = Mutex<[Int]>([])
    let recorder = (1...4).publisher.flatMap(maxPublishers: .max(2)) { n in
      started.withLock { $0.append(n) }
      return [n, n * 10].publisher
    }.record(.max(1))
    #expect(recorder.values == [1])
    #expect(started.withLock { $0 } == [1, 2])
    recorder.request(.max(2))
    #expect(recorder.values.count == 3)
    recorder.request(.unlimited)
    #expect(recorder.values.sorted() == [1, 2, 3, 4, 10, 20, 30, 40])
    #expect(recorder.isFinished)
  }

  @Test func `the first failure in flatMap cancels the others`() {
    let (first, second) = (PassthroughSubject<Int, Trouble>(), PassthroughSubject<Int, Trouble>())
    let cancelled = Counter()
    let recorder = [1, 2].publisher.setFailureType(to: Trouble.self).flatMap { n in
      n == 1
        ? first.eraseToAnyPublisher()
        : second.handleEvents(receiveCancel: { cancelled.up() })
          .eraseToAnyPublisher()
    }.record()
    first.send(1)
    second.send(2)
    first.send(completion: .failure(.small))
    second.send(3)
    #expect(recorder.values == [1, 2])
    #expect(recorder.failure == .small)
    #expect(cancelled.count == 1)
  }

  @Test func `switchToLatest takes publishers that cannot fail from a source that can`() {
    let sources = PassthroughSubject<Just<Int>, Trouble>()
    let recorder = sources.switchToLatest().record()
    sources.send(Just(1))
    sources.send(Just(2))
    sources.send(completion: .failure(.small))
    #expect(recorder.values == [1, 2])
    #expect(recorder.failure == .small)
  }

  @Test func `switchToLatest drops the older publisher and carries demand over`() {
    let sources = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = sources.switchToLatest().record(.max(3))
    sources.send(first)
    first.send(1)
    sources.send(second)
    first.send(2)
    second.send(3)
    second.send(4)
    second.send(5)
    #expect(recorder.values == [1, 3, 4])
    sources.send(completion: .finished)
    #expect(recorder.completions == 0)
    second.send(completion: .finished)
    #expect(recorder.isFinished)
  }

  @Test func `merge sends what both send and ends with the last`() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = first.merge(with: second.map { $0 * 10 }).record()
    first.send(1)
    second.send(1)
    first.send(completion: .finished)
    second.send(2)
    #expect(recorder.values == [1, 10, 20])
    second.send(completion: .finished)
    #expect(recorder.isFinished)
    #expect(Publishers.MergeMany([[1, 2].publisher, [3].publisher]).record().values == [1, 2, 3])
    #expect(Publishers.MergeMany([Just<Int>]()).record().isFinished)
  }

  @Test func `share subscribes once and cancels with the last`() {
    let subject = PassthroughSubject<Int, Never>()
    let (subscriptions, cancels) = (Counter(), Counter())
    let shared = subject.handleEvents(
      receiveSubscription: { _ in subscriptions.up() },
      receiveCancel: { cancels.up() }
    ).share()
    let (first, second) = (shared.record(), shared.record())
    subject.send(1)
    first.cancel()
    subject.send(2)
    #expect(cancels.count == 0)
    second.cancel()
    #expect(subscriptions.count == 1)
    #expect(cancels.count == 1)
    #expect(first.values == [1])
    #expect(second.values == [1, 2])
    let third = shared.record()
    subject.send(3)
    #expect(third.values == [3])
    #expect(subscriptions.count == 2)
  }

  @Test func `streams of one key are shared, and the key goes with the last or with the end`() {
    let registry = SharedPublishers<String, Int, Never>(replay: .latest)
    let subject = PassthroughSubject<Int, Never>()
    let made = Counter()
    let publisher = registry.publisher(for: "a") {
      made.up()
      return subject
    }
    let first = publisher.record()
    subject.send(1)
    let second = publisher.record()
    subject.send(2)
    #expect(first.values == [1, 2])
    #expect(second.values == [1, 2])
    #expect(registry.keys == ["a"])
    first.cancel()
    second.cancel()
    #expect(registry.count == 0)
    let again = Mutex<Recorder<Int, Never>?>(nil)
    let task = publisher.sink { _ in
      again.withLock { $0 = publisher.record() }
    } receiveValue: { _ in
    }
    subject.send(7)
    subject.send(completion: .finished)
    #expect(made.count == 3)
    #expect(registry.count == 0)
    task.cancel()
  }

  @Test func `a current value is heard first, and the newest when asked late`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let (eager, late) = (subject.record(), subject.record(.none))
    subject.value = 2
    subject.send(3)
    #expect(subject.value == 3)
    late.request(.max(1))
    #expect(eager.values == [1, 2, 3])
    #expect(late.values == [3])
    subject.send(completion: .finished)
    #expect(subject.record().values == [])
  }

  @Test func `catch goes on with another publisher, which gets the unmet demand`() {
    let subject = PassthroughSubject<Int, Trouble>()
    let recorder = subject.catch { _ in [7, 8, 9].publisher }.record(.max(3))
    subject.send(1)
    subject.send(completion: .failure(.small))
    #expect(recorder.values == [1, 7, 8])
    recorder.request(.max(1))
    #expect(recorder.isFinished)
    let failing = Fail<Int, Trouble>(error: .large)
    #expect(failing.replaceError(with: 5).record(.none).values == [])
    #expect(failing.replaceError(with: 5).record().values == [5])
    #expect(failing.mapError { _ in Trouble.small }.record().failure == .small)
  }

  @Test func `tryMap fails with the type thrown and cancels the source`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.tryMap { value throws(Trouble) in
      if value == 2 { throw .large }
      return value * 2
    }.record()
    for n in 1...3 { subject.send(n) }
    #expect(recorder.values == [2])
    #expect(recorder.failure == .large)
  }

  @Test func `receive(on:) delivers in order on the queue`() async {
    let queue = DispatchQueue(label: "test")
    let key = DispatchSpecificKey<Int>()
    queue.setSpecific(key: key, value: 1)
    var seen: [Int] = []
    for await value in (1...1000).publisher.receive(on: queue).map({
      DispatchQueue.getSpecific(key: key) == 1 ? $0 : -1
    }).values {
      seen.append(value)
    }
    #expect(seen == Array(1...1000))
    #expect(await Just(3).subscribe(on: queue).first() == 3)
  }

  @Test func `a created stream queues what nobody asked for, within its bounds`() {
    let oldest = Create<Int, Never>(overflow: .dropOldest(2)) { emitter in
      for n in 1...5 { emitter.send(n) }
      emitter.send(completion: .finished)
    }.record(.max(1))
    #expect(oldest.values == [1])
    oldest.request(.unlimited)
    #expect(oldest.values == [1, 4, 5])
    #expect(oldest.isFinished)
    let failing = Create<Int, Trouble>(overflow: .fail(1, .small)) { emitter in
      for n in 1...5 { emitter.send(n) }
    }.record(.max(1))
    failing.request(.max(1))
    #expect(failing.values == [1, 2])
    #expect(failing.failure == .small)
  }

  @Test func `cancelling a created stream runs its handler once, at once`() {
    let cancels = Counter()
    let kept = Mutex<Emitter<Int, Never>?>(nil)
    let recorder = Create<Int, Never> { emitter in
      kept.withLock { $0 = emitter }
      return AnyCancellable { cancels.up() }
    }.record()
    kept.withLock { $0 }?.send(1)
    recorder.cancel()
    recorder.cancel()
    kept.withLock { $0 }?.send(2)
    #expect(recorder.values == [1])
    #expect(cancels.count == 1)
    #expect(kept.withLock { $0?.isCancelled } == true)
  }

  @Test func `leaving a for await loop cancels the stream`() async {
    let cancels = Counter()
    let source = (1...).publisher.handleEvents(receiveCancel: {
      cancels.up()
    })
    for await value in source.values where value == 3 { break }
    #expect(cancels.count == 1)
    #expect(await source.first() == 1)
    await #expect(throws: Trouble.small) { try await Fail<Int, Trouble>(error: .small).first() }
    let task = Task { await Empty<Int, Never>(completeImmediately: false).first() }
    task.cancel()
    #expect(await task.value == nil)
  }

  @Test func `a hundred thousand nested flatMaps need no deep stack`() {
    @Sendable func count(_ n: Int) -> AnyPublisher<Int, Never> {
      n == 0
        ? Just(0).eraseToAnyPublisher()
        : Just(n - 1).flatMap { count($0) }.eraseToAnyPublisher()
    }
    #expect(count(100_000).record().values == [0])
    @Sendable func follow(_ n: Int) -> AnyPublisher<Int, Never> {
      n == 0
        ? Just(0).eraseToAnyPublisher()
        : Just(n - 1).map { follow($0) }.switchToLatest().eraseToAnyPublisher()
    }
    #expect(follow(100_000).record().values == [0])
  }
}
