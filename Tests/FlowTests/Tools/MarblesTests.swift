import Flow
import FlowTesting
import Testing

@Suite struct MarblesTests {
  @Test func `a column is a tick, and a group happens at its opening parenthesis`() throws {
    let diagram = try MarbleDiagram("a-(bc)-|")
    #expect(
      diagram.entries == [
        .init(tick: 0, mark: .value("a")), .init(tick: 2, mark: .value("b")),
        .init(tick: 2, mark: .value("c")), .init(tick: 7, mark: .finish),
      ])
    #expect(diagram.length == 8)
  }

  @Test(arguments: [
    ("a b", MarbleDiagram.SyntaxError.unexpected(" ", column: 1)),
    ("a(b", .unbalancedParenthesis(column: 1)), ("a)b", .unbalancedParenthesis(column: 1)),
    ("a|b", .unexpected("b", column: 2)), ("((a))", .unbalancedParenthesis(column: 1)),
  ])
  func `mistakes are told with their column`(
    string: String, mistake: MarbleDiagram.SyntaxError
  ) {
    #expect(throws: mistake) { try MarbleDiagram(string) }
    #expect(marbles(string, "") { input, _ in input } != .match)
  }

  @Test func `what a chain sends is compared by letter and tick`() {
    #expect(marbles("a-b-(cd|)", "a-b-(cd|)") { input, _ in input } == .match)
    #expect(marbles("a-b-#", "A-B-#") { input, _ in input.map { $0.uppercased() } } == .match)
    #expect(marbles("ab|", "xx|", values: ["x": 1]) { input, _ in input.map(\.count) } == .match)
    #expect(
      marbles(inputs: ["a--c|", "-b--d|"], "ab-cd|") { inputs, _ in inputs[0].merge(with: inputs[1])
      } == .match)
  }

  @Test func `a difference shows both lines and the first tick that differs`() {
    let result = marbles("ab-|", "a-b|") { input, _ in input }
    #expect(
      result.description == """
        marbles differ
          input     ab-|
          expected  a-b|
          actual    ab-|
          first difference: expected b at tick 2, got b at tick 1
        """)
    #expect(marbles("a-|", "a-") { input, _ in input } != .match)
    #expect(marbles("a-", "a-|") { input, _ in input } != .match)
    #expect(marbles("a-|", "a-#") { input, _ in input } != .match)
  }

  @Test func `letters without demand wait, and none come after cancel`() {
    #expect(marbles("abc|", "ab", demand: .max(2)) { input, _ in input } == .match)
    #expect(marbles("abc|", "abc|", demand: .oneByOne) { input, _ in input } == .match)
    #expect(marbles("a-b-c|", "a-b", cancelAt: 3) { input, _ in input } == .match)
  }

  @Test func `each subscription hears the whole string from its start`() {
    let scheduler = VirtualScheduler()
    let input = try? MarblePublisher("-a|", scheduler: scheduler)
    let first = input?.recording(scheduler: scheduler)
    scheduler.advance(by: .ticks(2))
    let second = input?.recording(scheduler: scheduler)
    scheduler.run()
    #expect(first?.timeline.map(\.time.ticks) == [0, 1, 2])
    #expect(second?.timeline.map(\.time.ticks) == [2, 3, 4])
  }

  @Test func `a recorder follows its demand script and keeps the whole history`() {
    let numbers = (1...9).publisher
    #expect(numbers.recording(demand: .max(2)).values == [1, 2])
    #expect(numbers.recording(demand: .oneByOne).isFinished)
    let script = DemandScript.replies([.max(1), .none, .max(1)], after: .max(1))
    let recorder = numbers.recording(demand: script)
    #expect(recorder.values == [1, 2])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3, 4])
    recorder.cancel()
    recorder.request(.unlimited)
    #expect(
      recorder.history == [
        .subscription("Sequence"), .value(1), .value(2), .value(3), .value(4),
      ])
    #expect(Fail<Int, Trouble>(error: .small).recording().failure == .small)
  }
}
