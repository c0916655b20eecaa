import Flow
import Synchronization
import Testing

/// Whoever is on the main actor already is not made to wait for it.
@Suite(.timeLimit(.minutes(1))) struct MainActorDeliveryTests {
  @Test @MainActor func `on the main actor values are delivered in the same call`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.receive(on: MainActorScheduler.shared).record()
    subject.send(1)
    #expect(recorder.values == [1])
    subject.send(2)
    subject.send(completion: .finished)
    #expect(recorder.values == [1, 2])
    #expect(recorder.isFinished)
  }

  @Test @MainActor func `assign on the main actor sets in the same call`() {
    let (subject, heard) = (PassthroughSubject<Int, Never>(), Heard())
    let target = Target(heard)
    let running = subject.assign(onMain: target, \.number)
    subject.send(7)
    #expect(heard.values == [7])
    withExtendedLifetime(running) {}
  }

  @Test func `from elsewhere values come to the main actor, in order`() async {
    let subject = PassthroughSubject<Int, Never>()
    let wasOnMain = Mutex(true)
    let recorder = subject.receive(on: MainActorScheduler.shared)
      .handleEvents(receiveOutput: { _ in
        if !MainActorScheduler.isCurrent { wasOnMain.withLock { $0 = false } }
      }).record()
    for number in 1...100 { subject.send(number) }
    subject.send(completion: .finished)
    await eventually { recorder.isFinished }
    #expect(recorder.values == Array(1...100))
    #expect(wasOnMain.withLock { $0 })
  }

  @Test @MainActor func `a loop on the main actor over values at hand does not leave it`() async {
    let hasLeft = Mutex(false)
    Task { @MainActor in hasLeft.withLock { $0 = true } }
    var sum = 0
    for await number in (1...1_000).publisher.map({ $0 * 2 }).values { sum += number }
    #expect(sum == 1_001_000)
    #expect(hasLeft.withLock { !$0 })
  }
}
