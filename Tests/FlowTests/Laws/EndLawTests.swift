import Flow
import Synchronization
import Testing

/// What every way to end a chain keeps.
@Suite(.timeLimit(.minutes(1))) struct EndLawTests {
  @Test(
    arguments: EndTable.cases,
    [Subscribers.Completion<Trouble>.finished, .failure(.small)])
  func `an end subscribes once, hears all in order and the end once, and lets go`(
    end: EndCase, completion: Subscribers.Completion<Trouble>
  ) async {
    weak var witness: Witness?
    let probe = Probe()
    do {
      let heard = Self.heard(&witness)
      let running = end.attach(probe.eraseToAnyPublisher(), heard)
      for number in 1...(end.takesOne ? 1 : 5) { await Self.send(number, from: probe, to: heard) }
      if end.takesOne {
        await eventually { heard.ends.count == 1 }
        #expect(heard.ends == [.finished])
      } else {
        #expect(heard.values == [1, 2, 3, 4, 5])
        probe.send(completion: completion)
        await eventually { heard.ends.count == 1 }
        #expect(heard.ends == [completion])
      }
      #expect(probe.subscriptions == 1)
      await eventually { probe.aliveCount == 0 }
      probe.send(6)
      probe.send(completion: .finished)
      #expect(heard.ends.count == 1)
      #expect(heard.values.count <= 5)
      withExtendedLifetime(running) {}
    }
    await eventually { witness == nil }
  }

  @Test(arguments: EndTable.cases)
  func `an end asks for everything at once, or for one value at a time`(end: EndCase) async {
    let (probe, heard) = (Probe(), Heard())
    let running = end.attach(probe.eraseToAnyPublisher(), heard)
    await eventually { probe.isAsked }
    #expect(probe.demand == (end.isAsync ? .max(1) : .unlimited))
    await Self.send(1, from: probe, to: heard)
    if !end.takesOne {
      await eventually { probe.isAsked }
      #expect(probe.demand == (end.isAsync ? .max(1) : .unlimited))
    }
    running.cancel()
  }

  @Test(arguments: EndTable.cases)
  func `cancel stops an end, tells upstream, and releases all, however often it is called`(
    end: EndCase
  ) async {
    weak var witness: Witness?
    let probe = Probe()
    do {
      let heard = Self.heard(&witness)
      let running = end.attach(probe.eraseToAnyPublisher(), heard)
      if end.takesOne {
        await eventually { probe.isAsked }
      } else {
        for number in 1...2 { await Self.send(number, from: probe, to: heard) }
      }
      running.cancel()
      // What runs in a task hears of it there.
      if end.isAsync { await eventually { probe.aliveCount == 0 } }
      #expect(probe.aliveCount == 0)
      #expect(probe.cancelCount == 1)
      running.cancel()
      probe.send(3)
      probe.send(completion: .finished)
      #expect(heard.values.count == (end.takesOne ? 0 : 2))
      #expect(heard.ends == [])
    }
    await eventually { witness == nil }
  }

  @Test(arguments: EndTable.cases.filter { !$0.takesOne })
  func `cancel in reply to a value stops an end at that value`(end: EndCase) async {
    let probe = Probe()
    let running = Mutex<AnyCancellable?>(nil)
    let heard = Heard { number in if number == 2 { running.withLock { $0.take() }?.cancel() } }
    let attached = end.attach(probe.eraseToAnyPublisher(), heard)
    running.withLock { $0 = attached }
    for number in 1...2 { await Self.send(number, from: probe, to: heard) }
    await eventually { probe.aliveCount == 0 }
    probe.send(3)
    probe.send(completion: .finished)
    #expect(heard.values == [1, 2])
    #expect(heard.ends == [])
  }

  @Test(arguments: EndTable.cases)
  func `letting go of what an end returned cancels it`(end: EndCase) async {
    let (probe, heard) = (Probe(), Heard())
    do {
      let running = end.attach(probe.eraseToAnyPublisher(), heard)
      await eventually { probe.isAsked }
      withExtendedLifetime(running) {}
    }
    await eventually { probe.aliveCount == 0 }
    #expect(probe.cancelCount == 1)
    #expect(heard.ends == [])
  }

  @Test(arguments: EndTable.cases)
  func `cancel from other threads while values come stops an end`(end: EndCase) async {
    for _ in 0..<8 {
      let (probe, heard) = (Probe(), Heard())
      let running = end.attach(probe.eraseToAnyPublisher(), heard)
      await eventually { probe.isAsked }
      onThreads(3) { thread in
        if thread > 0 { return running.cancel() }
        for number in 1...30 { probe.send(number) }
      }
      await eventually { probe.aliveCount == 0 }
      let values = heard.values
      #expect(values == Array(1..<(values.count + 1)) || end.isAsync)
      #expect(values == values.sorted())
      probe.send(99)
      #expect(!heard.values.contains(99))
    }
  }

  /// Ends with nothing between them and the publisher.
  private static let direct = EndTable.cases.filter {
    ["sink(receiveCompletion:receiveValue:)", "subscribe(_:)", "values"].contains($0.name)
  }

  @Test(arguments: direct)
  func `an end keeps one subscription, and hears nothing after the end`(end: EndCase) async {
    let (rogue, heard) = (Rogue(), Heard())
    let running = end.attach(rogue.eraseToAnyPublisher(), heard)
    await eventually { rogue.wasAsked }
    rogue.subscriber?.receive(subscription: rogue.other)
    #expect(rogue.other.isCancelled)
    _ = rogue.subscriber?.receive(1)
    await eventually { heard.values == [1] }
    rogue.subscriber?.receive(completion: .finished)
    await eventually { heard.ends.count == 1 }
    _ = rogue.subscriber?.receive(2)
    #expect(heard.values == [1])
    withExtendedLifetime(running) {}
  }

  private static func heard(_ witness: inout Witness?) -> Heard {
    let strong = Witness()
    witness = strong
    return Heard { _ in withExtendedLifetime(strong) {} }
  }

  /// Sends when asked, and waits until it has been heard.
  private static func send(_ number: Int, from probe: Probe, to heard: Heard) async {
    await eventually { probe.isAsked }
    let count = heard.values.count
    probe.send(number)
    await eventually { heard.values.count == count + 1 }
  }
}

/// A publisher that does not keep the contract: the test calls its subscriber itself.
final class Rogue: Publisher {
  typealias Output = Int
  typealias Failure = Trouble

  final class Line: Subscription {
    private let asked = Atomic<Bool>(false)
    private let cancelled = Atomic<Bool>(false)
    func request(_ demand: Subscribers.Demand) { asked.store(true, ordering: .relaxed) }
    func cancel() { cancelled.store(true, ordering: .relaxed) }
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }
    var wasAsked: Bool { asked.load(ordering: .relaxed) }
  }

  let (one, other) = (Line(), Line())
  private let held = Mutex<AnySubscriber<Int, Trouble>?>(nil)
  var subscriber: AnySubscriber<Int, Trouble>? { held.withLock { $0 } }
  var wasAsked: Bool { one.wasAsked }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Trouble {
    held.withLock { $0 = AnySubscriber(subscriber) }
    subscriber.receive(subscription: one)
  }
}
