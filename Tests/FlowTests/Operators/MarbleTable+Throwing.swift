import Flow
import FlowTesting

extension MarbleTable {
  /// Operators whose closures may throw: they do at the letter z.
  static let throwing: [MarbleCase] = [
    MarbleCase(
      "tryMap(_:)", "a-b|", gives: "A-B|", failing: "a-z-b|", gives: "A-#",
      cancelledAt: 1, gives: "A", asking: 1, gives: "A"
    ) { $0.first.tryMap { letter throws(MarbleFailure) in try sound(letter).uppercased() } },
    MarbleCase(
      "tryFilter(_:)", "xaxb|", gives: "-a-b|", failing: "xaz|", gives: "-a#",
      cancelledAt: 1, gives: "-a", asking: 1, gives: "-a"
    ) { $0.first.tryFilter { letter throws(MarbleFailure) in try sound(letter) != "x" } },
    MarbleCase(
      "tryCompactMap(_:)", "xaxb|", gives: "-A-B|", failing: "xaz|", gives: "-A#",
      cancelledAt: 1, gives: "-A", asking: 1, gives: "-A"
    ) {
      $0.first.tryCompactMap { letter throws(MarbleFailure) in
        try sound(letter) == "x" ? nil : letter.uppercased()
      }
    },
    MarbleCase(
      "tryScan(_:_:)", "abc|", gives: "axy|", failing: "abz|", gives: "ax#",
      cancelledAt: 1, gives: "ax", asking: 2, gives: "ax", letters: ["x": "ab", "y": "abc"]
    ) { $0.first.tryScan("") { sum, letter throws(MarbleFailure) in try sum + sound(letter) } },
    MarbleCase(
      "tryRemoveDuplicates(by:)", "aab-b|", gives: "a-b--|", failing: "aaz|", gives: "a-#",
      cancelledAt: 2, gives: "a-b", asking: 2, gives: "a-b"
    ) {
      $0.first.tryRemoveDuplicates { old, new throws(MarbleFailure) in try old == sound(new) }
    },
    MarbleCase(
      "tryDrop(while:)", "xxax|", gives: "--ax|", failing: "xz|", gives: "-#",
      cancelledAt: 2, gives: "--a", asking: 1, gives: "--a"
    ) { $0.first.tryDrop { letter throws(MarbleFailure) in try sound(letter) == "x" } },
    MarbleCase(
      "tryPrefix(while:)", "abx-a|", gives: "ab|", failing: "az|", gives: "a#",
      cancelledAt: 0, gives: "a", asking: 1, gives: "a"
    ) { $0.first.tryPrefix { letter throws(MarbleFailure) in try sound(letter) != "x" } },
    MarbleCase(
      "tryFirst(where:)", "abb|", gives: "-(b|)", failing: "azb|", gives: "-#",
      cancelledAt: 0, gives: "", asking: 0, gives: ""
    ) { $0.first.tryFirst { letter throws(MarbleFailure) in try sound(letter) == "b" } },
    MarbleCase(
      "tryLast(where:)", "abc|", gives: "---(b|)", failing: "abz|", gives: "--#",
      cancelledAt: 1, gives: "", asking: 0, gives: ""
    ) { $0.first.tryLast { letter throws(MarbleFailure) in try sound(letter) < "c" } },
    MarbleCase(
      "tryContains(where:)", "ab-|", gives: "-(t|)", failing: "az|", gives: "-#",
      cancelledAt: 0, gives: "", asking: 0, gives: ""
    ) {
      $0.first.tryContains { letter throws(MarbleFailure) in try sound(letter) == "b" }
        .map(yesNo)
    },
    MarbleCase(
      "tryAllSatisfy(_:)", "ab-|", gives: "-(f|)", failing: "az|", gives: "-#",
      cancelledAt: 0, gives: "", asking: 0, gives: ""
    ) {
      $0.first.tryAllSatisfy { letter throws(MarbleFailure) in try sound(letter) == "a" }
        .map(yesNo)
    },
    MarbleCase(
      "tryReduce(_:_:)", "abc|", gives: "---(x|)", failing: "az|", gives: "-#",
      cancelledAt: 2, gives: "", asking: 0, gives: "", letters: ["x": "abc"]
    ) { $0.first.tryReduce("") { sum, letter throws(MarbleFailure) in try sum + sound(letter) } },
    MarbleCase(
      "tryReduce(_:_:)", variant: "of nothing", "--|", gives: "--(o|)", failing: "-#", gives: "-#",
      cancelledAt: 1, gives: "", asking: 0, gives: ""
    ) { $0.first.tryReduce("o") { sum, letter throws(MarbleFailure) in try sum + sound(letter) } },
    MarbleCase(
      "tryMax(by:)", "acb|", gives: "---(c|)", failing: "az|", gives: "-#",
      cancelledAt: 2, gives: "", asking: 0, gives: ""
    ) { $0.first.tryMax { left, right throws(MarbleFailure) in try left < sound(right) } },
    MarbleCase(
      "tryMin(by:)", "bac|", gives: "---(a|)", failing: "az|", gives: "-#",
      cancelledAt: 2, gives: "", asking: 0, gives: ""
    ) { $0.first.tryMin { left, right throws(MarbleFailure) in try sound(left) < right } },
    MarbleCase(
      "tryCatch(_:)", ["a#", "xy|"], gives: "axy|", failing: ["a#", "x#"], gives: "ax#",
      cancelledAt: 1, gives: "a", asking: 2, gives: "ax"
    ) { inputs in inputs.first.tryCatch { _ throws(MarbleFailure) in inputs.second } },
    MarbleCase(
      "tryCatch(_:)", variant: "that throws", "ab|", gives: "ab|", failing: "a#", gives: "a#",
      cancelledAt: 0, gives: "a", asking: 1, gives: "a"
    ) {
      $0.first.tryCatch { failure throws(MarbleFailure) -> MarblePublisher in throw failure }
    },
  ]

  static func sound(_ letter: String) throws(MarbleFailure) -> String {
    if letter == "z" { throw MarbleFailure() }
    return letter
  }

  @Sendable static func yesNo(_ isTrue: Bool) -> String { isTrue ? "t" : "f" }
}
