/// Whether a stream did what a marble string says; if not, its description shows where they part.
///
/// ```swift
/// #expect(marbles("a-b|", "--a-b|") { $0.delay(for: .ticks(2), scheduler: $1) } == .match)
/// ```
public enum MarbleComparison: Equatable, Sendable {
  /// It did.
  case match
  /// It did something else. The text tells what.
  case mismatch(String)
}

extension MarbleComparison: CustomStringConvertible {
  /// `match`, or the two timelines, one line each, and the first difference.
  public var description: String {
    switch self {
    case .match: "match"
    case .mismatch(let text): "marbles differ\n\(text)"
    }
  }
}

/// A signal as a marble comparison sees it.
struct MarbleSignal: Equatable {
  let tick: Int
  let text: String

  /// Compares two timelines.
  static func compare(
    inputs: [String], expected: [MarbleSignal], actual: [MarbleSignal]
  ) -> MarbleComparison {
    if expected == actual { return .match }
    let index = zip(expected, actual).prefix { $0 == $1 }.count
    let wanted = index < expected.count ? "\(expected[index])" : "nothing more"
    let got = index < actual.count ? "\(actual[index])" : "nothing more"
    let lines =
      inputs.map { "  input     \($0)" } + [
        "  expected  \(draw(expected))", "  actual    \(draw(actual))",
        "  first difference: expected \(wanted), got \(got)",
      ]
    return .mismatch(lines.joined(separator: "\n"))
  }

  /// A marble string as far as columns allow: where signals crowd, what follows moves to the right.
  private static func draw(_ signals: [MarbleSignal]) -> String {
    var line = ""
    for (tick, group) in Dictionary(grouping: signals, by: \.tick).sorted(by: { $0.key < $1.key }) {
      line += String(repeating: "-", count: max(0, tick - line.count))
      let texts = group.map { $0.text.count == 1 ? $0.text : "⟨\($0.text)⟩" }
      line += texts.count == 1 ? texts[0] : "(\(texts.joined()))"
    }
    return line
  }
}

extension MarbleSignal: CustomStringConvertible {
  var description: String { "\(text) at tick \(tick)" }
}
