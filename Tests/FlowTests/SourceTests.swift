import Flow
import FlowTesting
import Synchronization
import Testing

/// Where streams start: what each source sends, when nobody asks, and when it is cancelled.
@Suite struct SourceTests {
  @Test func `a source of one value sends it when asked, and then finishes`() {
    for stream in [
      Just(7).eraseToAnyPublisher(), Optional(7).publisher.eraseToAnyPublisher(),
      Result<Int, Never>.success(7).publisher.eraseToAnyPublisher(),
    ] {
      let recorder = stream.recording(demand: .none)
      #expect(recorder.values == [])
      recorder.request(.max(1))
      #expect(recorder.values == [7])
      #expect(recorder.isFinished)
      let cancelled = stream.recording(demand: .none)
      cancelled.cancel()
      cancelled.request(.unlimited)
      #expect(cancelled.history.count == 1)
    }
  }

  @Test func `a source without a value ends without being asked`() {
    #expect(Empty<Int, Trouble>().recording(demand: .none).isFinished)
    #expect(Optional<Int>.none.publisher.recording(demand: .none).isFinished)
    #expect([Int]().publisher.recording(demand: .none).isFinished)
    #expect(Fail<Int, Trouble>(error: .large).recording(demand: .none).failure == .large)
    let failure = Result<Int, Trouble>.failure(.small)
    #expect(failure.publisher.recording(demand: .none).failure == .small)
    #expect(Publishers.MergeMany([Just<Int>]()).recording(demand: .none).isFinished)
  }

  @Test func `a source that is to be silent stays so`() {
    for stream in [
      Empty<Int, Trouble>(completeImmediately: false).eraseToAnyPublisher(),
      NeverEnding<Int, Trouble>().eraseToAnyPublisher(),
    ] {
      let recorder = stream.recording()
      recorder.cancel()
      #expect(recorder.history.count == 1)
    }
  }

  @Test func `a deferred stream is made for each subscriber, when it subscribes`() {
    let made = Counter()
    let stream = Deferred {
      made.up()
      return Just(made.count)
    }
    #expect(made.count == 0)
    #expect(stream.recording().values == [1])
    #expect(stream.recording().values == [2])
  }

  @Test func `a sequence is iterated anew for each subscriber, and no further than asked`() {
    let made = Counter()
    // The values are counted as they are made: at most one is read ahead.
    let stream = Publishers.Sequence<Counted, Never>(sequence: Counted(made: made))
    let recorder = stream.recording(demand: .max(2))
    #expect(recorder.values == [1, 2])
    #expect(made.count <= 3)
    recorder.cancel()
    #expect(stream.recording(demand: .max(1)).values == [1])
  }

  @Test func `a created stream keeps to its bound and tells the feeder when it is over`() {
    let stops = Counter()
    let stream = Create<Int, Trouble>(overflow: .fail(2, .large)) { emitter in
      emitter.onCancel { stops.up() }
      for number in 1...9 { emitter.send(number) }
    }
    let recorder = stream.recording(demand: .max(1))
    #expect(recorder.values == [1])
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.failure == .large)
    #expect(stops.count == 1)
  }
}

/// Numbers without end, each of which is counted as it is made.
private struct Counted: Sequence, Sendable {
  let made: Counter

  func makeIterator() -> AnyIterator<Int> {
    var next = 0
    return AnyIterator {
      next += 1
      made.up()
      return next
    }
  }
}
