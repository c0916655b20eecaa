import Flow
import FlowTesting
import Synchronization
import Testing

/// The stack stays shallow, however many values pass and however deep streams nest.
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
      // Room for the wide frames of sanitizers; growth by a value would be many times that.
      #expect(referee.stackSpan < 262_144)
      #expect(referee.breaches == [])
      #expect(referee.ends == (law.traits.contains(.endless) ? 0 : 1))
    }
  }

  @Test(arguments: NestedCase.all)
  func `a hundred thousand nested streams need no deep stack`(nested: NestedCase) {
    let referee = Referee()
    nested.build(100_000).subscribe(referee)
    #expect(referee.received + referee.ends > 0)
    #expect(referee.breaches == [])
  }
}

/// A stream whose every value, or failure, starts the next.
struct NestedCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let build: @Sendable (Int) -> LawStream

  static let all = [
    NestedCase(testDescription: "flatMap", build: { flat($0) }),
    NestedCase(testDescription: "concatMap", build: { concat($0) }),
    NestedCase(testDescription: "switchToLatest", build: { latest($0) }),
    NestedCase(
      testDescription: "retry",
      build: { Fail<Int, Trouble>(error: .small).retry($0).eraseToAnyPublisher() }),
  ]

  private static func start(_ depth: Int) -> Publishers.SetFailureType<Just<Int>, Trouble> {
    Just(depth - 1).setFailureType(to: Trouble.self)
  }

  @Sendable private static func flat(_ depth: Int) -> LawStream {
    depth == 0
      ? start(0).eraseToAnyPublisher() : start(depth).flatMap { flat($0) }.eraseToAnyPublisher()
  }

  @Sendable private static func concat(_ depth: Int) -> LawStream {
    depth == 0
      ? start(0).eraseToAnyPublisher() : start(depth).concatMap { concat($0) }.eraseToAnyPublisher()
  }

  @Sendable private static func latest(_ depth: Int) -> LawStream {
    depth == 0
      ? start(0).eraseToAnyPublisher()
      : start(depth).flatMapLatest { latest($0) }.eraseToAnyPublisher()
  }
}
