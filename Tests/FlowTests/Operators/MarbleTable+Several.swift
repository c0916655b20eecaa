import Flow
import FlowTesting

extension MarbleTable {
  /// Operators over more than two sources.
  static let several: [MarbleCase] = merges + tuples

  private static let merges: [MarbleCase] = [
    merge("merge(with:_:)", 3) { $0[0].merge(with: $0[1], $0[2]).eraseToAnyPublisher() },
    merge("merge(with:_:_:)", 4) {
      $0[0].merge(with: $0[1], $0[2], $0[3]).eraseToAnyPublisher()
    },
    merge("merge(with:_:_:_:)", 5) {
      $0[0].merge(with: $0[1], $0[2], $0[3], $0[4]).eraseToAnyPublisher()
    },
    merge("merge(with:_:_:_:_:)", 6) {
      $0[0].merge(with: $0[1], $0[2], $0[3], $0[4], $0[5]).eraseToAnyPublisher()
    },
    merge("merge(with:_:_:_:_:_:)", 7) {
      $0[0].merge(with: $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]).eraseToAnyPublisher()
    },
    merge("merge(with:_:_:_:_:_:_:)", 8) {
      $0[0].merge(with: $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]).eraseToAnyPublisher()
    },
  ]

  /// Each source sends one letter, the next one a tick later; the last one fails where one fails.
  private static func merge(
    _ name: String, _ count: Int,
    build: @escaping @Sendable ([MarblePublisher]) -> AnyPublisher<String, MarbleFailure>
  ) -> MarbleCase {
    func lines(last: String) -> MarbleLines {
      let letters = "abcdefgh".prefix(count - 1).enumerated().map { index, letter in
        String(repeating: "-", count: index) + "\(letter)|"
      }
      return MarbleLines(lines: letters + [String(repeating: "-", count: count - 1) + last])
    }
    let letters = "abcdefgh".prefix(count)
    return MarbleCase(
      name, lines(last: "\(letters.last ?? "-")|"), gives: "\(letters)|",
      failing: lines(last: "#"), gives: "\(letters.dropLast())#",
      cancelledAt: 1, gives: "ab", asking: 2, gives: "ab"
    ) { build($0.sources) }
  }

  private static let three: MarbleLines = ["a--d|", "-b-|", "--c-e|"]
  private static let four: MarbleLines = ["a--e|", "-b-|", "-c-|", "--d-f|"]

  private static let tuples: [MarbleCase] = [
    MarbleCase(
      "zip(_:_:)", variant: "of three", ["a--d|", "-b--e|", "--c--f|"], gives: "--x--(y|)",
      failing: ["a-|", "-#", "--c|"], gives: "-#", cancelledAt: 3, gives: "--x",
      asking: 1, gives: "--x", letters: ["x": "abc", "y": "def"]
    ) { $0.first.zip($0.second, $0.third).map { $0 + $1 + $2 } },
    MarbleCase(
      "zip(_:_:_:)", variant: "of three, combined", ["a--d|", "-b--e|", "--c--f|"],
      gives: "--x--(y|)",
      failing: ["a-|", "-b|", "--#"], gives: "--#", cancelledAt: 3, gives: "--x",
      asking: 1, gives: "--x", letters: ["x": "abc", "y": "def"]
    ) { $0.first.zip($0.second, $0.third) { $0 + $1 + $2 } },
    MarbleCase(
      "zip(_:_:_:)", variant: "of four", ["a---e|", "-b--f|", "--c-g|", "---dh-|"], gives: "---xy|",
      failing: ["a-|", "-b|", "-#", "--c|"], gives: "-#", cancelledAt: 3, gives: "---x",
      asking: 1, gives: "---x", letters: ["x": "abcd", "y": "efgh"]
    ) { $0.first.zip($0.second, $0.third, $0.fourth).map { $0 + $1 + $2 + $3 } },
    MarbleCase(
      "zip(_:_:_:_:)", variant: "of four, combined", ["a---e|", "-b--f|", "--c-g|", "---dh-|"],
      gives: "---xy|", failing: ["a-|", "-b|", "-c|", "-#"], gives: "-#",
      cancelledAt: 3, gives: "---x", asking: 1, gives: "---x",
      letters: ["x": "abcd", "y": "efgh"]
    ) { $0.first.zip($0.second, $0.third, $0.fourth) { $0 + $1 + $2 + $3 } },
    MarbleCase(
      "combineLatest(_:_:)", variant: "of three", three, gives: "--xyz|",
      failing: ["a-|", "-#", "--c|"], gives: "-#", cancelledAt: 3, gives: "--xy",
      asking: 1, gives: "--x", letters: ["x": "abc", "y": "dbc", "z": "dbe"]
    ) { $0.first.combineLatest($0.second, $0.third).map { $0 + $1 + $2 } },
    MarbleCase(
      "combineLatest(_:_:_:)", variant: "of three, combined", three, gives: "--xyz|",
      failing: ["a-|", "-b|", "--#"], gives: "--#", cancelledAt: 3, gives: "--xy",
      asking: 1, gives: "--x", letters: ["x": "abc", "y": "dbc", "z": "dbe"]
    ) { $0.first.combineLatest($0.second, $0.third) { $0 + $1 + $2 } },
    MarbleCase(
      "combineLatest(_:_:_:)", variant: "of four", four, gives: "--xyz|",
      failing: ["a-|", "-b|", "-#", "--c|"], gives: "-#", cancelledAt: 3, gives: "--xy",
      asking: 1, gives: "--x", letters: ["x": "abcd", "y": "ebcd", "z": "ebcf"]
    ) { $0.first.combineLatest($0.second, $0.third, $0.fourth).map { $0 + $1 + $2 + $3 } },
    MarbleCase(
      "combineLatest(_:_:_:_:)", variant: "of four, combined", four, gives: "--xyz|",
      failing: ["a-|", "-b|", "-c|", "-#"], gives: "-#", cancelledAt: 3, gives: "--xy",
      asking: 1, gives: "--x", letters: ["x": "abcd", "y": "ebcd", "z": "ebcf"]
    ) { $0.first.combineLatest($0.second, $0.third, $0.fourth) { $0 + $1 + $2 + $3 } },
  ]
}
