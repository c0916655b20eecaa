import Flow
import Testing

@Suite struct TwoSourceTests {
  let a = PassthroughSubject<Int, Trouble>()
  let b = PassthroughSubject<String, Trouble>()

  @Test func `zip pairs the first with the first`() {
    let recorder = a.zip(b) { "\($0)\($1)" }.record(.max(2))
    a.send(1)
    a.send(2)
    b.send("x")
    b.send("y")
    b.send("z")
    #expect(recorder.values == ["1x", "2y"])
    let ending = (1...2).publisher.zip(["a", "b", "c"].publisher) { "\($0)\($1)" }.record()
    #expect(ending.values == ["1a", "2b"])
    #expect(ending.isFinished)
    let three = (1...2).publisher.zip((3...4).publisher, (5...6).publisher).map { $0 + $1 + $2 }
    #expect(three.record().values == [9, 12])
  }

  @Test func `zip fails with either and cancels both`() {
    let cancels = Counter()
    let recorder = a.handleEvents(receiveCancel: { cancels.up() })
      .zip(b.handleEvents(receiveCancel: { cancels.up() })) { "\($0)\($1)" }.record()
    a.send(completion: .failure(.small))
    #expect(recorder.failure == .small)
    #expect(cancels.count == 1)
  }

  @Test func `combineLatest sends the newest of both, also to one who asks late`() {
    let recorder = a.combineLatest(b) { "\($0)\($1)" }.record(.max(1))
    a.send(1)
    b.send("x")
    a.send(2)
    b.send("y")
    #expect(recorder.values == ["1x"])
    recorder.request(.max(1))
    #expect(recorder.values == ["1x", "2y"])
    a.send(completion: .finished)
    b.send("z")
    recorder.request(.unlimited)
    b.send(completion: .finished)
    #expect(recorder.values == ["1x", "2y", "2z"])
    #expect(recorder.isFinished)
    #expect([1].publisher.combineLatest([Int]().publisher) { $0 + $1 }.record().isFinished)
  }

  @Test func `withLatest follows the first source only`() {
    let recorder = a.withLatest(from: b) { "\($0)\($1)" }.record(.max(2))
    a.send(1)
    b.send("x")
    a.send(2)
    b.send("y")
    b.send(completion: .finished)
    a.send(3)
    #expect(recorder.values == ["2x", "3y"])
    a.send(completion: .finished)
    #expect(recorder.isFinished)
  }

  @Test func `another stream ends or opens a stream`() {
    let until = a.prefix(untilOutputFrom: b).record()
    let from = a.drop(untilOutputFrom: b).record(.max(1))
    a.send(1)
    b.send("now")
    a.send(2)
    #expect(until.values == [1])
    #expect(until.isFinished)
    #expect(from.values == [2])
    from.cancel()
  }

  @Test
  func
    `what ends a stream may fail with another error, or not at all, and its failure ends nothing`()
  {
    let (bell, broken) = (PassthroughSubject<Void, Never>(), PassthroughSubject<Void, any Error>())
    let until = a.prefix(untilOutputFrom: bell).record()
    let untilBroken = a.prefix(untilOutputFrom: broken).record()
    broken.send(completion: .failure(Trouble.small))
    a.send(1)
    bell.send()
    a.send(2)
    #expect(until.values == [1])
    #expect(until.isFinished)
    #expect(untilBroken.values == [1, 2])
    a.send(completion: .failure(.large))
    #expect(untilBroken.failure == .large)
  }

  @Test func `a buffer holds what nobody asked for`() {
    let source = PassthroughSubject<Int, Trouble>()
    let newest = source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).record(.none)
    let oldest = source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).record(.none)
    let failing = source.buffer(size: 2, prefetch: .byRequest, whenFull: .customError { .large })
      .record(.none)
    for n in 1...3 { source.send(n) }
    source.send(completion: .finished)
    for recorder in [newest, oldest, failing] { recorder.request(.unlimited) }
    #expect(newest.values == [1, 2])
    #expect(oldest.values == [2, 3])
    #expect(failing.values == [1, 2])
    #expect(failing.failure == .large)
    #expect(newest.isFinished && oldest.isFinished)
    let asked = Counter()
    let kept = (1...10).publisher.handleEvents(receiveRequest: { asked.up(by: $0.max ?? 0) })
      .buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).record(.max(2))
    #expect(kept.values == [1, 2])
    #expect(asked.count == 5)
    kept.request(.unlimited)
    #expect(kept.values == Array(1...10))
    #expect(kept.isFinished)
  }

  @Test func `a connectable stream waits, and autoconnect follows its subscribers`() {
    let subscriptions = Counter()
    let source = a.handleEvents(receiveSubscription: { _ in subscriptions.up() })
    let connectable = source.makeConnectable()
    let recorder = connectable.record()
    a.send(1)
    let connection = connectable.connect()
    a.send(2)
    connection.cancel()
    a.send(3)
    #expect(recorder.values == [2])
    let automatic = source.multicast { PassthroughSubject() }.autoconnect()
    let (first, second) = (automatic.record(), automatic.record())
    a.send(4)
    first.cancel()
    second.cancel()
    a.send(5)
    #expect(first.values == [4])
    #expect(second.values == [4])
    #expect(subscriptions.count == 2)
  }

  @Test func `share repeats the newest value to those who come late`() {
    let shared = a.share(replay: 1)
    let first = shared.record()
    a.send(1)
    a.send(2)
    let late = shared.record(.max(1))
    a.send(3)
    #expect(first.values == [1, 2, 3])
    #expect(late.values == [2])
    let replay = ReplaySubject<Int, Never>(bufferSize: 2)
    for n in 1...3 { replay.send(n) }
    replay.send(completion: .finished)
    #expect(replay.record().values == [2, 3])
    #expect(replay.record().isFinished)
  }
}
