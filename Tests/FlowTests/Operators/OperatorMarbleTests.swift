import FlowTesting
import Testing

/// Each operator on marbles, under virtual time.
@Suite struct OperatorMarbleTests {
  @Test(arguments: MarbleTable.cases)
  func `an operator does what its marbles say`(row: MarbleCase) {
    #expect(row.run(row.meaning.inputs, row.meaning.expected) == .match)
  }

  @Test(arguments: MarbleTable.cases)
  func `a failure ends the stream as the marbles say`(row: MarbleCase) {
    guard let failure = row.failure else { return }
    #expect(row.run(failure.inputs, failure.expected) == .match)
  }

  @Test(arguments: MarbleTable.cases)
  func `after a cancel there are no marbles`(row: MarbleCase) {
    let (tick, expected) = row.cancel
    #expect(row.run(row.meaning.inputs, expected, cancelAt: tick) == .match)
    // The cancel cut something off: otherwise this would not test it.
    #expect(expected != row.meaning.expected)
  }

  @Test(arguments: MarbleTable.cases)
  func `no more marbles come than are asked for`(row: MarbleCase) {
    let (count, expected) = row.demand
    #expect(row.run(row.meaning.inputs, expected, demand: .max(count)) == .match)
    // Asked for the next only when the one before has come, a delay has nothing to hold.
    if row.name.hasPrefix("delay") { return }
    #expect(row.run(row.meaning.inputs, row.meaning.expected, demand: .oneByOne) == .match)
  }

  @Test func `every public operator has its marbles`() throws {
    let surface = try PublicSurface.flow.get()
    // `first()` is an operator as well as an end.
    let operators = surface.members.subtracting(CompletenessTests.ends.subtracting(["first()"]))
    #expect(operators.count > 90, "the sources were not found or not understood")
    let known = Set(MarbleTable.cases.map(\.name))
    #expect(operators.subtracting(known).sorted() == [])
    #expect(known.subtracting(operators).sorted() == [])
    // Only what takes a failure for a programming error has no marbles for it.
    #expect(
      MarbleTable.cases.filter { $0.failure == nil }.map(\.name) == [
        "assertNoFailure(_:file:line:)"
      ])
  }
}
