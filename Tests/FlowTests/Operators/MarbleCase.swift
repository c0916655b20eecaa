import Flow
import FlowTesting
import Testing

/// What one operator does to marbles: its meaning, a failure, a cancel, and too little demand.
struct MarbleCase: Sendable, CustomTestStringConvertible {
  /// The operator with its labels, as the sources declare it: `prefix(while:)`.
  let name: String
  let variant: String
  let meaning: (inputs: MarbleLines, expected: String)
  /// Nil where a failure is a programming error.
  let failure: (inputs: MarbleLines, expected: String)?
  /// With the inputs of `meaning`.
  let cancel: (tick: Int, expected: String)
  /// With the inputs of `meaning`, and a subscriber that asks for so many values and no more.
  let demand: (count: Int, expected: String)
  /// What letters stand for; the others for themselves.
  let letters: [Character: String]
  let build: @Sendable (MarbleInputs) -> AnyPublisher<String, MarbleFailure>

  init<P: Publisher>(
    _ name: String, variant: String = "",
    _ inputs: MarbleLines, gives expected: String,
    failing failingInputs: MarbleLines?, gives failed: String,
    cancelledAt tick: Int, gives cancelled: String,
    asking count: Int, gives asked: String,
    letters: [Character: String] = [:],
    build: @escaping @Sendable (MarbleInputs) -> P
  ) where P.Output == String, P.Failure == MarbleFailure {
    self.name = name
    self.variant = variant
    meaning = (inputs, expected)
    failure = failingInputs.map { ($0, failed) }
    cancel = (tick, cancelled)
    demand = (count, asked)
    self.letters = letters
    self.build = { build($0).eraseToAnyPublisher() }
  }

  var testDescription: String { variant.isEmpty ? name : "\(name) \(variant)" }

  func run(
    _ inputs: MarbleLines, _ expected: String, demand: DemandScript = .unlimited,
    cancelAt: Int? = nil
  ) -> MarbleComparison {
    let own = expected.map { ($0, letters[$0] ?? String($0)) }
    return marbles(
      inputs: inputs.lines, expected, values: Dictionary(own) { first, _ in first },
      demand: demand, cancelAt: cancelAt
    ) { build(MarbleInputs(sources: $0, scheduler: $1)) }
  }
}

/// What an operator of the marble table is built from.
struct MarbleInputs: Sendable {
  let sources: [MarblePublisher]
  let scheduler: VirtualScheduler

  var first: MarblePublisher { sources[0] }
  var second: MarblePublisher { sources[1] }
  var third: MarblePublisher { sources[2] }
  var fourth: MarblePublisher { sources[3] }
}

/// One marble string, or one for each source.
struct MarbleLines: Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  let lines: [String]

  init(lines: [String]) { self.lines = lines }
  init(stringLiteral line: String) { lines = [line] }
  init(arrayLiteral lines: String...) { self.lines = lines }
}

/// All cases, each a member of the public surface.
enum MarbleTable {
  static let cases =
    passing + throwing + choosing + ending + recovering + combining + several + flattening
    + sharing + timed
}
