import Flow
import FlowTesting
import Testing

/// What an operator of the law suite is built from.
struct LawInputs: Sendable {
  /// Several streams; an operator over one stream takes the first.
  let sources: [AnyPublisher<Int, Trouble>]
  let scheduler: VirtualScheduler

  var first: AnyPublisher<Int, Trouble> { sources[0] }
  var second: AnyPublisher<Int, Trouble> { sources[1] }
  var third: AnyPublisher<Int, Trouble> { sources[2] }
}

typealias LawStream = AnyPublisher<Int, Trouble>

/// One public operator, subject or source, as the laws see it.
struct LawCase: Sendable, CustomTestStringConvertible {
  /// What the laws must know of it, to ask for neither too much nor too little.
  struct Traits: OptionSet, Sendable {
    let rawValue: Int
    /// It sends nothing, whatever its sources do.
    static let silent = Self(rawValue: 1)
    /// It goes on when all its sources have finished.
    static let endless = Self(rawValue: 2)
    /// It has no source, or subscribes to none.
    static let source = Self(rawValue: 4)
    /// It treats a failure as a programming error.
    static let trapsOnFailure = Self(rawValue: 8)
    /// With values enough it sends exactly as many as were demanded.
    static let exact = Self(rawValue: 16)
    /// It subscribes to a source again, or to several sources from one value.
    static let resubscribes = Self(rawValue: 32)
  }

  /// The member or type, with its labels, as the sources declare it: `prefix(while:)`.
  let name: String
  let variant: String
  /// The public publisher types it shows, where the name does not say so.
  let types: [String]
  let traits: Traits
  let build: @Sendable (LawInputs) -> LawStream

  init<P: Publisher>(
    _ name: String, _ variant: String = "", types: [String] = [], is traits: Traits = [],
    build: @escaping @Sendable (LawInputs) -> P
  ) where P.Output == Int, P.Failure == Trouble {
    self.name = name
    self.variant = variant
    self.types = types
    self.traits = traits
    self.build = { build($0).eraseToAnyPublisher() }
  }

  var testDescription: String { variant.isEmpty ? name : "\(name) \(variant)" }
}

/// All cases, each a member of the public surface.
enum LawTable {
  static let cases =
    oneSource + throwing + endings + severalSources + sharing + timed + origins

  static func having(_ traits: LawCase.Traits) -> [LawCase] {
    cases.filter { $0.traits.isSuperset(of: traits) }
  }

  static func without(_ traits: LawCase.Traits) -> [LawCase] {
    cases.filter { $0.traits.isDisjoint(with: traits) }
  }
}
