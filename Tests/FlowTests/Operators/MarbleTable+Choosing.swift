import Flow
import FlowTesting

extension MarbleTable {
  /// Operators that let some values pass and others not.
  static let choosing: [MarbleCase] = [
    MarbleCase(
      "filter(_:)", "xaxb|", gives: "-a-b|", failing: "xa#", gives: "-a#",
      cancelledAt: 1, gives: "-a", asking: 1, gives: "-a"
    ) { $0.first.filter { $0 != "x" } },
    MarbleCase(
      "compactMap(_:)", "xaxb|", gives: "-A-B|", failing: "xa#", gives: "-A#",
      cancelledAt: 1, gives: "-A", asking: 1, gives: "-A"
    ) { $0.first.compactMap { $0 == "x" ? nil : $0.uppercased() } },
    MarbleCase(
      "removeDuplicates()", "aab-b|", gives: "a-b--|", failing: "aa#", gives: "a-#",
      cancelledAt: 2, gives: "a-b", asking: 2, gives: "a-b"
    ) { $0.first.removeDuplicates() },
    MarbleCase(
      "removeDuplicates(by:)", "aAb|", gives: "a-b|", failing: "aA#", gives: "a-#",
      cancelledAt: 1, gives: "a", asking: 1, gives: "a"
    ) { $0.first.removeDuplicates { $0.lowercased() == $1.lowercased() } },
    MarbleCase(
      "dropFirst(_:)", "abcd|", gives: "--cd|", failing: "abc#", gives: "--c#",
      cancelledAt: 2, gives: "--c", asking: 1, gives: "--c"
    ) { $0.first.dropFirst(2) },
    MarbleCase(
      "drop(while:)", "xxax|", gives: "--ax|", failing: "xa#", gives: "-a#",
      cancelledAt: 2, gives: "--a", asking: 1, gives: "--a"
    ) { $0.first.drop { $0 == "x" } },
    MarbleCase(
      "prefix(_:)", "abc|", gives: "a(b|)", failing: "a#", gives: "a#",
      cancelledAt: 0, gives: "a", asking: 1, gives: "a"
    ) { $0.first.prefix(2) },
    MarbleCase(
      "prefix(while:)", "abx-a|", gives: "ab|", failing: "a#", gives: "a#",
      cancelledAt: 0, gives: "a", asking: 1, gives: "a"
    ) { $0.first.prefix { $0 != "x" } },
    MarbleCase(
      "output(at:)", "abc|", gives: "-(b|)", failing: "a#", gives: "-#",
      cancelledAt: 0, gives: "", asking: 0, gives: ""
    ) { $0.first.output(at: 1) },
    MarbleCase(
      "output(in:)", "abcd|", gives: "-b(c|)", failing: "ab#", gives: "-b#",
      cancelledAt: 1, gives: "-b", asking: 1, gives: "-b"
    ) { $0.first.output(in: 1...2) },
    MarbleCase(
      "output(in:)", variant: "open", "abcd|", gives: "--cd|", failing: "abc#", gives: "--c#",
      cancelledAt: 2, gives: "--c", asking: 1, gives: "--c"
    ) { $0.first.output(in: 2...) },
    MarbleCase(
      "first()", "-ab|", gives: "-(a|)", failing: "-#", gives: "-#",
      cancelledAt: 0, gives: "", asking: 0, gives: ""
    ) { $0.first.first() },
    MarbleCase(
      "first(where:)", "abb|", gives: "-(b|)", failing: "a#", gives: "-#",
      cancelledAt: 0, gives: "", asking: 0, gives: ""
    ) { $0.first.first { $0 == "b" } },
    MarbleCase(
      "last()", "ab|", gives: "--(b|)", failing: "a#", gives: "-#",
      cancelledAt: 1, gives: "", asking: 0, gives: ""
    ) { $0.first.last() },
    MarbleCase(
      "last(where:)", "abc|", gives: "---(b|)", failing: "a#", gives: "-#",
      cancelledAt: 1, gives: "", asking: 0, gives: ""
    ) { $0.first.last { $0 < "c" } },
    MarbleCase(
      "prefix(untilOutputFrom:)", ["a-b-c|", "---x"], gives: "a-b|",
      failing: ["a#", "--x"], gives: "a#", cancelledAt: 0, gives: "a", asking: 1, gives: "a--|"
    ) { $0.first.prefix(untilOutputFrom: $0.second) },
    MarbleCase(
      "drop(untilOutputFrom:)", ["a-b-c|", "-x"], gives: "--b-c|",
      failing: ["a--#", "-x"], gives: "---#", cancelledAt: 2, gives: "--b",
      asking: 1, gives: "--b"
    ) { $0.first.drop(untilOutputFrom: $0.second) },
  ]

  /// Operators that send something of the whole stream, at its end.
  static let ending: [MarbleCase] = [
    MarbleCase(
      "reduce(_:_:)", "abc|", gives: "---(x|)", failing: "ab#", gives: "--#",
      cancelledAt: 2, gives: "", asking: 0, gives: "", letters: ["x": "abc"]
    ) { $0.first.reduce("", +) },
    MarbleCase(
      "collect()", "abc|", gives: "---(x|)", failing: "ab#", gives: "--#",
      cancelledAt: 2, gives: "", asking: 0, gives: "", letters: ["x": "abc"]
    ) { $0.first.collect().map { $0.joined() } },
    MarbleCase(
      "collect(_:)", "abc|", gives: "-x-(c|)", failing: "abc#", gives: "-x-#",
      cancelledAt: 1, gives: "-x", asking: 1, gives: "-x", letters: ["x": "ab"]
    ) { $0.first.collect(2).map { $0.joined() } },
    MarbleCase(
      "count()", "ab|", gives: "--(2|)", failing: "ab#", gives: "--#",
      cancelledAt: 1, gives: "", asking: 0, gives: ""
    ) { $0.first.count().map(String.init) },
    MarbleCase(
      "max()", "acb|", gives: "---(c|)", failing: "a#", gives: "-#",
      cancelledAt: 2, gives: "", asking: 0, gives: ""
    ) { $0.first.max() },
    MarbleCase(
      "max(by:)", "acb|", gives: "---(a|)", failing: "a#", gives: "-#",
      cancelledAt: 2, gives: "", asking: 0, gives: ""
    ) { $0.first.max { $0 > $1 } },
    MarbleCase(
      "min()", "bac|", gives: "---(a|)", failing: "a#", gives: "-#",
      cancelledAt: 2, gives: "", asking: 0, gives: ""
    ) { $0.first.min() },
    MarbleCase(
      "min(by:)", "bac|", gives: "---(c|)", failing: "a#", gives: "-#",
      cancelledAt: 2, gives: "", asking: 0, gives: ""
    ) { $0.first.min { $0 > $1 } },
    MarbleCase(
      "contains(_:)", "ab-|", gives: "-(t|)", failing: "a#", gives: "-#",
      cancelledAt: 0, gives: "", asking: 0, gives: ""
    ) { $0.first.contains("b").map(yesNo) },
    MarbleCase(
      "contains(where:)", "ac-|", gives: "---(f|)", failing: "a#", gives: "-#",
      cancelledAt: 1, gives: "", asking: 0, gives: ""
    ) { $0.first.contains { $0 == "b" }.map(yesNo) },
    MarbleCase(
      "allSatisfy(_:)", "ab-|", gives: "-(f|)", failing: "a#", gives: "-#",
      cancelledAt: 0, gives: "", asking: 0, gives: ""
    ) { $0.first.allSatisfy { $0 == "a" }.map(yesNo) },
    MarbleCase(
      "ignoreOutput()", "ab|", gives: "--|", failing: "a#", gives: "-#",
      cancelledAt: 1, gives: "", asking: 0, gives: "--|"
    ) { $0.first.ignoreOutput().map(letter) },
    MarbleCase(
      "replaceEmpty(with:)", "x-|", gives: "--(o|)", failing: "x#", gives: "-#",
      cancelledAt: 1, gives: "", asking: 0, gives: ""
    ) { $0.first.filter { $0 != "x" }.replaceEmpty(with: "o") },
  ]

  @Sendable private static func letter(from never: Never) -> String {}
}
