import Dispatch
import Flow
import Synchronization
import Testing

@Suite struct SubjectTests {
  @Test func `a subject passes values to all its subscribers in order`() {
    let subject = PassthroughSubject<Int, Never>()
    let (first, second) = (subject.record(), subject.map { $0 + 10 }.record())
    subject.send(1)
    subject.send(2)
    subject.send(completion: .finished)
    subject.send(3)
    #expect(first.values == [1, 2])
    #expect(second.values == [11, 12])
    #expect(first.isFinished && second.isFinished)
    #expect(subject.record().isFinished)
  }

  @Test func `a value without demand is missed`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.record(.max(1))
    subject.send(1)
    subject.send(2)
    recorder.request(.max(2))
    subject.send(3)
    subject.send(4)
    subject.send(5)
    #expect(recorder.values == [1, 3, 4])
    recorder.request(.unlimited)
    for n in 6...8 { subject.send(n) }
    #expect(recorder.values == [1, 3, 4, 6, 7, 8])
  }

  @Test func `a value sent in reply comes after the one replied to, for everybody`() {
    let subject = PassthroughSubject<Int, Never>()
    let first = subject.record { value in
      if value == 1 { subject.send(2) }
      return .none
    }
    let second = subject.record()
    subject.send(1)
    #expect(first.values == [1, 2])
    #expect(second.values == [1, 2])
    first.cancel()
  }

  @Test func `cancelling releases the subscriber at once, also in reply to a value`() {
    let subject = PassthroughSubject<Int, Never>()
    weak var witness: Witness?
    let task = {
      let strong = Witness()
      witness = strong
      return subject.sink { _ in _ = strong }
    }()
    subject.send(1)
    #expect(witness != nil)
    task.cancel()
    #expect(witness == nil)
    let slot = Mutex<AnyCancellable?>(nil)
    let count = Atomic<Int>(0)
    slot.withLock { held in
      let strong = Witness()
      witness = strong
      held = subject.sink { _ in
        _ = strong
        count.add(1, ordering: .relaxed)
        slot.withLock { $0.take() }?.cancel()
      }
    }
    subject.send(1)
    subject.send(2)
    #expect(count.load(ordering: .relaxed) == 1)
    #expect(witness == nil)
  }

  @Test func `eight concurrent senders are heard one at a time and nothing is lost`() {
    let subject = PassthroughSubject<Int, Never>()
    let inside = Atomic<Int>(0)
    let overlaps = Atomic<Int>(0)
    let sum = Atomic<Int>(0)
    let task = subject.map { $0 }.sink { value in
      if inside.add(1, ordering: .relaxed).newValue != 1 { overlaps.add(1, ordering: .relaxed) }
      sum.add(value, ordering: .relaxed)
      inside.subtract(1, ordering: .relaxed)
    }
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<5_000 { subject.send(1) }
    }
    #expect(sum.load(ordering: .relaxed) == 40_000)
    #expect(overlaps.load(ordering: .relaxed) == 0)
    task.cancel()
  }

  @Test func `a sequence sends as many as are demanded, and ends with the last`() {
    let recorder = (1...5).publisher.record(.max(2)) { $0 == 2 ? .max(1) : .none }
    #expect(recorder.values == [1, 2, 3])
    recorder.request(.max(2))
    #expect(recorder.values == [1, 2, 3, 4, 5])
    #expect(recorder.isFinished)
  }

  @Test func `an erased chain behaves as the chain`() {
    let chain = (1...10).publisher.eraseToAnyPublisher().map { $0 * 2 }.eraseToAnyPublisher()
      .filter { $0 % 4 == 0 }.eraseToAnyPublisher()
    #expect(chain.record().values == [4, 8, 12, 16, 20])
    #expect(chain.record(.max(1)).values == [4])
    #expect(Just(7).record(.max(1)).isFinished)
    #expect(Just(7).record(.none).values == [])
  }
}

@Suite struct SubjectDemandRaceTests {
  @Test func `asking for everything from two threads at once loses no value and no subscriber`() {
    for _ in 0..<500 {
      let subject = PassthroughSubject<Int, Never>()
      let asker = Asker()
      subject.subscribe(asker)
      DispatchQueue.concurrentPerform(iterations: 3) { index in
        if index < 2 { asker.ask() } else { subject.send(0) }
      }
      subject.send(1)
      #expect(asker.last == 1)
    }
  }

  private final class Asker: Subscriber {
    private let state = Mutex<(subscription: (any Subscription)?, last: Int?)>((nil, nil))

    var last: Int? { state.withLock { $0.last } }

    func ask() { state.withLock { $0.subscription }?.request(.unlimited) }

    func receive(subscription: any Subscription) {
      state.withLock { $0.subscription = subscription }
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      state.withLock { $0.last = input }
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
  }
}
