import Flow
import FlowTesting
import Synchronization
import Testing

/// The stack stays shallow, however many values pass.
@Suite struct DepthLawTests {
  /// A growing stack shows after a few values. Unoptimised code is too slow for the whole million.
  static var count: Int {
    #if DEBUG
      10_000
    #else
      1_000_000
    #endif
  }

  private static func inputs(_ scheduler: VirtualScheduler) -> LawInputs {
    let source = (1...count).publisher.setFailureType(to: Trouble.self).eraseToAnyPublisher()
    return LawInputs(sources: [source, source, source, source], scheduler: scheduler)
  }

  @Test(arguments: LawTable.cases)
  func `the stack does not grow with the number of values, however they are asked for`(
    law: LawCase
  ) {
    let referees = [
      Referee(.unlimited, keepsValues: false),
      Referee(.max(1), keepsValues: false) { _, _ in .max(1) },
      Referee(.max(1), keepsValues: false) { referee, _ in
        referee.request(.max(1))
        return .none
      },
    ]
    for referee in referees {
      let scheduler = VirtualScheduler()
      law.build(Self.inputs(scheduler)).subscribe(referee)
      scheduler.run()
      #expect(referee.stackSpan < 16_384)
      #expect(referee.breaches == [])
      #expect(referee.ends == (law.traits.contains(.endless) ? 0 : 1))
    }
  }
}
