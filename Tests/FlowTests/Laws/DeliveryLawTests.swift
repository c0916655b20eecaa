import Flow
import FlowTesting
import Foundation
import Synchronization
import Testing

/// What holds when several threads send, and when a subscriber acts in reply.
@Suite struct DeliveryLawTests {
  private func subjects() -> [PassthroughSubject<Int, Trouble>] {
    (0..<4).map { _ in PassthroughSubject() }
  }

  private func inputs(
    _ subjects: [PassthroughSubject<Int, Trouble>], _ scheduler: VirtualScheduler
  ) -> LawInputs {
    LawInputs(sources: subjects.map { $0.eraseToAnyPublisher() }, scheduler: scheduler)
  }

  @Test(arguments: LawTable.cases, [2, 8])
  func `signals come one at a time, whoever sends, asks and ends`(law: LawCase, senders: Int) {
    for demand in [Subscribers.Demand.unlimited, .max(1)] {
      let (subjects, scheduler) = (subjects(), VirtualScheduler())
      let referee = Referee(demand) { _, _ in
        // Lets the others in: a signal of theirs must not get past this one.
        sched_yield()
        return .max(1)
      }
      law.build(inputs(subjects, scheduler)).subscribe(referee)
      scheduler.advance(by: .ticks(1))
      onThreads(senders) { thread in
        for number in 1...60 {
          subjects[(thread + number) % 4].send(number)
          if number % 8 == 0 { referee.request(.max(1)) }
          if number % 16 == 0 { scheduler.advance(by: .ticks(2)) }
        }
        let failed = thread == 1 && !law.traits.contains(.trapsOnFailure)
        subjects[thread % 4].send(completion: failed ? .failure(.small) : .finished)
      }
      for subject in subjects { subject.send(completion: .finished) }
      scheduler.advance(by: .ticks(100))
      referee.request(.unlimited)
      scheduler.advance(by: .ticks(100))
      #expect(referee.breaches == [])
      #expect(referee.ends <= 1)
    }
  }

  @Test(arguments: LawTable.cases, [2, 8])
  func `signals come one at a time from sources and requests that race each other`(
    law: LawCase, threads: Int
  ) {
    // Not subjects: nothing but the operator stands between the threads and the subscriber.
    let (probes, scheduler) = ((0..<4).map { _ in Probe() }, VirtualScheduler())
    let referee = Referee(.max(1)) { _, _ in
      sched_yield()
      return .max(1)
    }
    let sources = probes.map { $0.eraseToAnyPublisher() }
    law.build(LawInputs(sources: sources, scheduler: scheduler)).subscribe(referee)
    scheduler.advance(by: .ticks(1))
    onThreads(threads) { thread in
      for number in 1...60 {
        // Each source is one thread's own, as the contract asks of it; the other threads ask.
        if thread < 4 { probes[thread].send(number) }
        if thread >= 4 || number % 8 == 0 { referee.request(.max(1)) }
        if number % 16 == 0 { scheduler.advance(by: .ticks(2)) }
      }
      if thread < 4 { probes[thread].send(completion: .finished) }
    }
    for probe in probes { probe.send(completion: .finished) }
    scheduler.advance(by: .ticks(100))
    referee.request(.unlimited)
    scheduler.advance(by: .ticks(100))
    for _ in 0..<2 { for probe in probes { probe.send(completion: .finished) } }
    scheduler.advance(by: .ticks(100))
    #expect(referee.breaches == [])
    #expect(referee.ends == (law.traits.contains(.endless) ? 0 : 1))
  }

  @Test(.timeLimit(.minutes(1)), arguments: LawTable.cases)
  func `asking, sending, subscribing and cancelling in reply do not deadlock`(law: LawCase) {
    let (subjects, scheduler) = (subjects(), VirtualScheduler())
    let publisher = law.build(inputs(subjects, scheduler))
    let others = Mutex<[Referee]>([])
    let referee = Referee(.max(1)) { referee, number in
      referee.request(.max(1))
      if number < 6 { for subject in subjects { subject.send(number + 100) } }
      let other = Referee { other, _ in
        other.cancel()
        return .none
      }
      others.withLock { $0.append(other) }
      publisher.subscribe(other)
      if number == 8 { referee.cancel() }
      return .max(1)
    }
    publisher.subscribe(referee)
    for number in 1...10 {
      for subject in subjects { subject.send(number) }
      scheduler.advance(by: .ticks(50))
    }
    for subject in subjects { subject.send(completion: .finished) }
    scheduler.advance(by: .ticks(50))
    #expect(referee.breaches == [])
    #expect(others.withLock { $0.allSatisfy { $0.breaches == [] } })
    #expect(referee.received <= 8)
  }
}
