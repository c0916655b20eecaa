import Flow
import FlowTesting
import Synchronization
import Testing

@testable import Pipeline

/// What holds for every stage that answers events: demand, order, ends and cancelling.
struct StageRunTests {
  private typealias Events = PassthroughSubject<LoadEvent, LoadError>
  private typealias Recorder = RecordingSubscriber<LoadEvent, LoadError>

  private static let error = LoadError.cacheLookup(.notCached, source: "a")

  private static func progress(_ received: Int) -> LoadEvent {
    .progress(LoadProgress(received: received, expected: nil))
  }

  private static func numbers(_ recorder: Recorder) -> [Int] {
    recorder.values.compactMap { event in
      if case .progress(let progress) = event { progress.received } else { nil }
    }
  }

  private static func sequence(_ numbers: Range<Int>) -> AnyPublisher<LoadEvent, LoadError> {
    numbers.publisher.map { progress($0) }.setFailureType(to: LoadError.self).eraseToAnyPublisher()
  }

  /// Each number `n` of the source becomes `10 n`, `10 n + 1` and `10 n + 2`.
  private static func tenfold(
    _ source: some Publisher<LoadEvent, LoadError>
  ) -> some Publisher<LoadEvent, LoadError> {
    source.eventsAnswered { event in
      guard case .progress(let progress) = event else { return .event(event) }
      let start = progress.received * 10
      return .events(sequence(start..<(start + 3)))
    }
  }

  @Test func `answers come in order, each heard out before the next event is asked for`() {
    let recorder = Recorder()
    Self.tenfold(Self.sequence(1..<4)).subscribe(recorder)
    #expect(Self.numbers(recorder) == [10, 11, 12, 20, 21, 22, 30, 31, 32])
    #expect(recorder.isFinished)
  }

  @Test func `no more than was asked for comes, and the source is not asked ahead`() {
    let asked = Mutex(0)
    let source = Self.sequence(1..<100).handleEvents(receiveOutput: { _ in
      asked.withLock { $0 += 1 }
    })
    let recorder = Recorder(demand: .none)
    Self.tenfold(source).subscribe(recorder)
    #expect(asked.withLock { $0 } == 0)
    for count in 1...7 {
      recorder.request(.max(1))
      #expect(Self.numbers(recorder).count == count)
      #expect(asked.withLock { $0 } == (count + 2) / 3)
    }
    recorder.request(.max(50))
    #expect(Self.numbers(recorder).count == 57 && asked.withLock { $0 } == 19)
    #expect(recorder.completions.isEmpty)
    recorder.request(.unlimited)
    #expect(Self.numbers(recorder).count == 297 && recorder.isFinished)
  }

  @Test func `a hundred thousand events that are answered at once need no deep stack`() {
    let recorder = Recorder()
    Self.sequence(0..<100_000).eventsAnswered { event in
      guard case .progress(let progress) = event else { return .nothing }
      switch progress.received % 3 {
      case 0: return .nothing
      case 1: return .event(event)
      default: return .events(.event(event))
      }
    }.subscribe(recorder)
    #expect(Self.numbers(recorder).count == 66_666 && recorder.isFinished)
  }

  @Test func `the source's end waits for the answer that runs, be it an error`() {
    for end in [Subscribers.Completion<LoadError>.finished, .failure(Self.error)] {
      let (source, answer) = (Events(), Events())
      let recorder = Recorder()
      source.eventsAnswered { _ in .events(answer.eraseToAnyPublisher()) }.subscribe(recorder)
      source.send(Self.progress(1))
      source.send(completion: end)
      #expect(recorder.completions.isEmpty)
      answer.send(Self.progress(2))
      answer.send(completion: .finished)
      #expect(Self.numbers(recorder) == [2])
      #expect(recorder.completions == [end])
    }
  }

  @Test func `an answer that fails ends the stage and lets the source go`() {
    let (source, answer) = (Events(), Events())
    let recorder = Recorder()
    let isCancelled = Mutex(false)
    source.handleEvents(receiveCancel: { isCancelled.withLock { $0 = true } })
      .eventsAnswered { _ in .events(answer.eraseToAnyPublisher()) }.subscribe(recorder)
    source.send(Self.progress(1))
    answer.send(completion: .failure(Self.error))
    #expect(recorder.completions == [.failure(Self.error)])
    #expect(isCancelled.withLock { $0 })
    let refusing = Recorder()
    Self.sequence(0..<3).eventsAnswered { _ in .failure(Self.error) }.subscribe(refusing)
    #expect(refusing.completions == [.failure(Self.error)] && refusing.values.isEmpty)
  }

  @Test func `cancelling stops source and answer, releases the subscriber, and nothing follows`() {
    let (source, answer) = (Events(), Events())
    let stops = Mutex<[String]>([])
    var recorder: Recorder? = Recorder()
    weak let remains = recorder
    let stage = source.handleEvents(receiveCancel: { stops.withLock { $0.append("source") } })
      .eventsAnswered { _ in
        .events(
          answer.handleEvents(receiveCancel: { stops.withLock { $0.append("answer") } })
            .eraseToAnyPublisher())
      }
    if let recorder { stage.subscribe(recorder) }
    source.send(Self.progress(1))
    answer.send(Self.progress(2))
    recorder?.cancel()
    recorder?.cancel()
    source.send(Self.progress(3))
    answer.send(Self.progress(4))
    #expect(recorder.map(Self.numbers) == [2])
    #expect(recorder?.completions.isEmpty == true)
    #expect(stops.withLock { $0.sorted() } == ["answer", "source"])
    recorder = nil
    #expect(remains == nil)
  }

  @Test func `cancelling in reply to an event stops the answer it belongs to`() {
    let subscription = Mutex<(any Subscription)?>(nil)
    let heard = Mutex<[Int]>([])
    let subscriber = AnySubscriber<LoadEvent, LoadError>(
      receiveSubscription: { new in
        subscription.withLock { $0 = new }
        new.request(.unlimited)
      },
      receiveValue: { event in
        guard case .progress(let progress) = event else { return .none }
        heard.withLock { $0.append(progress.received) }
        if progress.received == 11 { subscription.withLock { $0 }?.cancel() }
        return .none
      })
    Self.tenfold(Self.sequence(1..<4)).subscribe(subscriber)
    #expect(heard.withLock { $0 } == [10, 11])
  }
}
