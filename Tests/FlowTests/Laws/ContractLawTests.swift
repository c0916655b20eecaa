import Flow
import FlowTesting
import Synchronization
import Testing

/// What every operator, subject and source keeps on one thread: order, demand, ends, cancel.
@Suite struct ContractLawTests {
  @Test(arguments: LawTable.cases)
  func `one subscription comes before everything, and each source is subscribed once`(
    law: LawCase
  ) {
    let referee = Referee()
    let run = LawRun(law, referee)
    run.offer(10)
    if law.traits.isDisjoint(with: [.source, .resubscribes]) {
      #expect(run.probes.allSatisfy { $0.subscriptions <= 1 })
      #expect(run.subscriptions > 0)
    }
    run.finish()
    #expect(referee.state.withLock { $0.subscriptions } == 1)
    #expect(referee.breaches == [])
    #expect((referee.received > 0) == !law.traits.contains(.silent))
  }

  @Test(arguments: LawTable.cases)
  func `no value comes beyond the demand`(law: LawCase) {
    for demands in [[0], [1], [1, 1, 1], [2, 0, 3], [1, 5]] {
      let referee = Referee(.none)
      let run = LawRun(law, referee)
      run.offer(3)
      #expect(referee.received == 0)
      for demand in demands {
        referee.request(.max(demand))
        run.offer(3)
      }
      run.finish()
      #expect(referee.received <= demands.reduce(0, +))
      #expect(referee.breaches == [])
    }
  }

  @Test(arguments: LawTable.cases)
  func `no value comes beyond what is asked for in reply`(law: LawCase) {
    let referee = Referee(.max(1)) { _, number in number % 3 == 1 ? .max(2) : .none }
    let run = LawRun(law, referee)
    run.offer(20)
    #expect(referee.breaches == [])
    #expect(referee.received <= 3)
    if law.traits.contains(.exact) { #expect(referee.received == 3) }
    run.finish()
    #expect(referee.breaches == [])
  }

  @Test(arguments: LawTable.cases)
  func `demand adds up`(law: LawCase) {
    let referee = Referee(.none)
    let run = LawRun(law, referee)
    referee.request(.max(2))
    referee.request(.none)
    referee.request(.max(3))
    run.offer(40)
    if law.traits.contains(.exact) { #expect(referee.received == 5) }
    #expect(referee.breaches == [])
  }

  @Test(arguments: LawTable.cases)
  func `demand saturates`(law: LawCase) {
    func values(_ demand: Subscribers.Demand, _ reply: Subscribers.Demand) -> [Int] {
      let referee = Referee(demand) { _, _ in reply }
      let run = LawRun(law, referee)
      referee.request(demand)
      run.offer(5)
      referee.request(demand)
      run.offer(5)
      run.finish()
      #expect(referee.breaches == [])
      return referee.values
    }
    let all = values(.unlimited, .none)
    #expect(values(.unlimited, .unlimited) == all)
    #expect(values(.max(.max), .max(.max)) == all)
    #expect(values(.max(.max - 1), .max(.max - 1)) == all)
  }

  @Test(
    arguments: LawTable.cases,
    [
      Subscribers.Completion<Trouble>.finished, .failure(.small),
    ])
  func `the end comes once, nothing after it, and all is released`(
    law: LawCase, end: Subscribers.Completion<Trouble>
  ) {
    if end != .finished, law.traits.contains(.trapsOnFailure) { return }
    weak var witness: Witness?
    let run = {
      let strong = Witness()
      witness = strong
      return LawRun(law, Referee { _, _ in withExtendedLifetime(strong) { .none } })
    }()
    run.offer(3)
    // More than once, as some start again after a failure.
    for _ in 0..<4 { run.end(end) }
    for _ in 0..<4 { run.finish() }
    let before = run.referee?.received
    if !law.traits.contains(.endless) { #expect(run.referee?.ends == 1) }
    run.offer(3)
    run.referee?.request(.unlimited)
    run.referee?.cancel()
    run.settle()
    #expect(run.referee?.received == before)
    #expect(run.referee?.breaches == [])
    #expect(run.alive == 0)
    run.referee = nil
    #expect(witness == nil)
  }

  @Test(arguments: LawTable.cases)
  func `values that were asked for late come before the end`(law: LawCase) {
    let referee = Referee(.none)
    let run = LawRun(law, referee)
    run.offer(5)
    run.finish()
    for _ in 0..<20 {
      referee.request(.max(1))
      run.settle()
    }
    run.finish()
    referee.request(.unlimited)
    run.offer(5)
    run.finish()
    #expect(referee.breaches == [])
    #expect(referee.ends == (law.traits.contains(.endless) ? 0 : 1))
  }
}
