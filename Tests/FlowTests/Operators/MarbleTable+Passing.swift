import Flow
import FlowTesting

extension MarbleTable {
  /// Operators that send something for each value, or pass it on.
  static let passing: [MarbleCase] = [
    MarbleCase(
      "map(_:)", "a-b|", gives: "A-B|", failing: "a-#", gives: "A-#",
      cancelledAt: 1, gives: "A", asking: 1, gives: "A"
    ) { $0.first.map { $0.uppercased() } },
    MarbleCase(
      "map(_:_:)", "a-b|", gives: "x-y|", failing: "a-#", gives: "x-#",
      cancelledAt: 1, gives: "x", asking: 1, gives: "x", letters: ["x": "a1", "y": "b1"]
    ) { $0.first.map(\.self, \.count).map { "\($0)\($1)" } },
    MarbleCase(
      "map(_:_:_:)", "a-b|", gives: "x-y|", failing: "a-#", gives: "x-#",
      cancelledAt: 1, gives: "x", asking: 1, gives: "x",
      letters: ["x": "a1false", "y": "b1false"]
    ) { $0.first.map(\.self, \.count, \.isEmpty).map { "\($0)\($1)\($2)" } },
    MarbleCase(
      "replaceNil(with:)", "axb|", gives: "aob|", failing: "x#", gives: "o#",
      cancelledAt: 1, gives: "ao", asking: 1, gives: "a"
    ) { $0.first.map { $0 == "x" ? nil : $0 }.replaceNil(with: "o") },
    MarbleCase(
      "scan(_:_:)", "abc|", gives: "axy|", failing: "ab#", gives: "ax#",
      cancelledAt: 1, gives: "ax", asking: 2, gives: "ax", letters: ["x": "ab", "y": "abc"]
    ) { $0.first.scan("", +) },
    MarbleCase(
      "setFailureType(to:)", "ab|", gives: "ab|", failing: "a#", gives: "a(o|)",
      cancelledAt: 0, gives: "a", asking: 1, gives: "a"
    ) { $0.first.replaceError(with: "o").setFailureType(to: MarbleFailure.self) },
    MarbleCase(
      "mapError(_:)", "ab|", gives: "ab|", failing: "a#", gives: "a(x|)",
      cancelledAt: 0, gives: "a", asking: 1, gives: "a"
    ) {
      $0.first.mapError { _ in LetterError(letter: "x") }.catch { Just($0.letter).failing }
    },
    MarbleCase(
      "assertNoFailure(_:file:line:)", "ab|", gives: "ab|", failing: nil, gives: "",
      cancelledAt: 0, gives: "a", asking: 1, gives: "a"
    ) { $0.first.assertNoFailure().setFailureType(to: MarbleFailure.self) },
    MarbleCase(
      "handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:"
        + "receiveRequest:)",
      "ab|", gives: "ab|", failing: "a#", gives: "a#", cancelledAt: 0, gives: "a",
      asking: 1, gives: "a"
    ) { $0.first.handleEvents(receiveOutput: { _ in }) },
    MarbleCase(
      "print(_:to:)", "ab|", gives: "ab|", failing: "a#", gives: "a#", cancelledAt: 0, gives: "a",
      asking: 1, gives: "a"
    ) { $0.first.print("marbles") { _ in } },
    MarbleCase(
      "eraseToAnyPublisher()", "ab|", gives: "ab|", failing: "a#", gives: "a#",
      cancelledAt: 0, gives: "a", asking: 1, gives: "a"
    ) { $0.first.eraseToAnyPublisher() },
    MarbleCase(
      "materialize()", "ab|", gives: "ab(f|)", failing: "a#", gives: "a(e|)",
      cancelledAt: 0, gives: "a", asking: 1, gives: "a"
    ) {
      $0.first.materialize().map { event in
        switch event {
        case .value(let letter): letter
        case .completion(.finished): "f"
        case .completion(.failure): "e"
        }
      }.setFailureType(to: MarbleFailure.self)
    },
    MarbleCase(
      "dematerialize()", "ab|", gives: "ab|", failing: "a#", gives: "a#",
      cancelledAt: 0, gives: "a", asking: 1, gives: "a"
    ) { $0.first.materialize().dematerialize() },
    MarbleCase(
      "buffer(size:prefetch:whenFull:)", variant: "by request",
      "abc|", gives: "abc|", failing: "a#", gives: "a#", cancelledAt: 0, gives: "a",
      asking: 1, gives: "a"
    ) { $0.first.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest) },
    MarbleCase(
      "buffer(size:prefetch:whenFull:)", variant: "kept full",
      "abc|", gives: "abc|", failing: "a#", gives: "a#", cancelledAt: 0, gives: "a",
      asking: 2, gives: "ab"
    ) { $0.first.buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest) },
  ]
}

/// A failure that carries a letter.
struct LetterError: Error { let letter: String }

extension Just<String> {
  /// A stream of the same letter that could fail.
  var failing: Publishers.SetFailureType<Self, MarbleFailure> {
    setFailureType(to: MarbleFailure.self)
  }
}
