import Flow
import FlowTesting
import Synchronization
import Testing

/// What cancelling does, whenever and from wherever it comes.
@Suite struct CancelLawTests {
  @Test(arguments: LawTable.cases)
  func `cancel stops everything and releases everything upstream at once`(law: LawCase) {
    weak var witness: Witness?
    let run = {
      let strong = Witness()
      witness = strong
      return LawRun(law, Referee(.max(4)) { _, _ in withExtendedLifetime(strong) { .none } })
    }()
    run.offer(2)
    let running = run.alive
    let subscription = run.referee?.subscription
    run.referee?.cancel()
    #expect(run.alive - (subscription is Probe.Line ? 1 : 0) == 0)
    // Letting go is not enough: the source has to be told.
    #expect(run.cancels >= running)
    run.offer(5)
    run.finish()
    #expect(run.referee?.breaches == [])
    run.referee = nil
    // Also while the subscriber's end of the line is kept.
    #expect(witness == nil)
    withExtendedLifetime(subscription) {}
  }

  @Test(arguments: LawTable.cases, [Subscribers.Demand.none, .max(1)])
  func `what was put off or held is not delivered after cancel`(
    law: LawCase, demand: Subscribers.Demand
  ) {
    let referee = Referee(demand)
    let run = LawRun(law, referee)
    // Sent, and perhaps still on its way, as no time passes.
    for number in 1...4 { for probe in run.probes { probe.send(number) } }
    let subscription = referee.subscription
    referee.cancel()
    subscription?.request(.unlimited)
    run.settle()
    run.finish()
    #expect(referee.breaches == [])
  }

  @Test(arguments: LawTable.cases)
  func `cancel may come again, and asking afterwards does nothing`(law: LawCase) {
    let (referee, other) = (Referee(.max(3)), Referee(.max(3)))
    let run = LawRun(law, referee)
    run.publisher.subscribe(other)
    run.offer(1)
    let (subscription, lasting) = (referee.subscription, other.subscription)
    referee.cancel()
    let (cancels, alive) = (run.cancels, run.alive)
    subscription?.cancel()
    subscription?.request(.max(5))
    subscription?.cancel()
    // Another subscriber, of something shared as well, must not be taken for this one.
    #expect(run.alive == alive)
    run.offer(9)
    if law.traits.contains(.exact) { #expect(other.received == 3) }
    if lasting != nil, law.traits.isDisjoint(with: .endless) {
      run.finish()
      other.request(.unlimited)
      run.settle()
      for _ in 0..<4 { run.finish() }
      #expect(other.ends == 1)
    }
    #expect(run.cancels >= cancels)
    #expect(referee.breaches == [])
    #expect(other.breaches == [])
  }

  @Test(arguments: LawTable.cases, 1...3)
  func `cancel in reply to a value stops at that value`(law: LawCase, last: Int) {
    weak var witness: Witness?
    let run = {
      let strong = Witness()
      witness = strong
      return LawRun(
        law,
        Referee { referee, number in
          withExtendedLifetime(strong) { if number == last { referee.cancel() } }
          return .unlimited
        })
    }()
    run.offer(10)
    if (run.referee?.received ?? 0) >= last {
      #expect(run.referee?.received == last)
      #expect(run.alive == 0)
    }
    run.finish()
    #expect(run.referee?.breaches == [])
    run.referee = nil
    #expect(witness == nil)
  }

  @Test(arguments: LawTable.cases)
  func `cancel in reply to the subscription lets nothing come`(law: LawCase) {
    let referee = Referee(.none, onSubscription: { $0.cancel() })
    let run = LawRun(law, referee)
    #expect(run.alive == 0)
    run.offer(5)
    run.finish()
    #expect(referee.received == 0)
    #expect(referee.breaches == [])
  }

  @Test(arguments: LawTable.cases)
  func `cancel from other threads, together and while values come, stops and releases`(
    law: LawCase
  ) {
    for _ in 0..<8 {
      weak var witness: Witness?
      let run = {
        let strong = Witness()
        witness = strong
        return LawRun(law, Referee { _, _ in withExtendedLifetime(strong) { .none } })
      }()
      let (probes, scheduler, referee) = (run.probes, run.scheduler, run.referee)
      onThreads(3) { thread in
        if thread > 0 { return referee?.cancel(whileOthersSend: true) ?? () }
        for number in 1...20 {
          for probe in probes { probe.send(number) }
          scheduler.advance(by: .ticks(1))
        }
      }
      #expect(run.alive == 0)
      let before = run.referee?.received
      run.offer(3)
      run.finish()
      #expect(run.referee?.received == before)
      #expect(run.referee?.breaches == [])
      withExtendedLifetime(referee) {}
      _ = witness
    }
  }
}
