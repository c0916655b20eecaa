import Flow
import FlowTesting
import Synchronization
import Testing

/// The stack stays shallow, however many values pass.
@Suite struct DepthLawTests {
  /// A growing stack shows after a few values. Unoptimised code is too slow for the whole million
  /// in all operators.
  static var count: Int {
    #if DEBUG
      2_000
    #else
      1_000_000
    #endif
  }

  /// What the frames of one signal may take, the wide ones of sanitizers too. Growth by a value
  /// would be many times that.
  static let span: UInt = isSanitized ? 131_072 : 16_384

  static let million = isSanitized ? 100_000 : 1_000_000

  private static func inputs(_ scheduler: VirtualScheduler, count: Int = count) -> LawInputs {
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
      #expect(referee.stackSpan < Self.span)
      #expect(referee.breaches == [])
      #expect(referee.ends == (law.traits.contains(.endless) ? 0 : 1))
    }
  }

  @Test(arguments: LawTable.cases.filter { ["map(_:)", "receive(on:options:)"].contains($0.name) })
  func `a million values pass on one and the same stack`(law: LawCase) {
    let scheduler = VirtualScheduler()
    let referee = Referee(.max(1), keepsValues: false) { _, _ in .max(1) }
    law.build(Self.inputs(scheduler, count: Self.million)).subscribe(referee)
    scheduler.run()
    #expect(referee.received == Self.million)
    #expect(referee.firstStack == referee.lastStack)
    #expect(referee.stackSpan < Self.span)
    #expect(referee.breaches == [])
  }
}
