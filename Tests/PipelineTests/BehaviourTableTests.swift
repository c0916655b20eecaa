import Foundation
import Testing

/// `Tests/BEHAVIOURS.md` names tests that exist, and leaves no number out.
struct BehaviourTableTests {
  /// Numbers that have to be in the table.
  static let wanted: [ClosedRange<Int>] = [1...247]
  /// Reports of users of other loaders that have to be in the table.
  static let reports = [
    1, 3, 5, 8, 9, 12, 13, 16, 17, 19, 21, 23, 24, 27, 28, 30, 33, 34, 36, 39, 41, 44, 46, 47, 51,
    52, 54, 55, 59, 61, 64, 68, 71, 73, 75, 76, 78, 80, 82, 84, 86, 88, 90, 93, 95, 96, 99, 100,
    102, 104, 106, 109, 111, 113, 115, 117, 118, 119,
  ]

  private struct Row {
    let ids: [String]
    let tests: String
  }

  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func rows() throws -> [Row] {
    let text = try String(contentsOf: folder.appending(path: "BEHAVIOURS.md"), encoding: .utf8)
    return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, cells[0] != "id" else { return nil }
      return Row(ids: ids(cells[0]), tests: cells[2])
    }
  }

  /// `B3, B5–B7` is B3, B5, B6, B7.
  private static func ids(_ text: String) -> [String] {
    text.split(separator: ",").flatMap { part -> [String] in
      let ends = part.split(separator: "–").map { $0.trimmingCharacters(in: .whitespaces) }
      guard ends.count == 2, let first = Int(ends[0].dropFirst()),
        let last = Int(ends[1].dropFirst())
      else { return ends }
      return (first...max(first, last)).map { "\(ends[0].prefix(1))\($0)" }
    }
  }

  private static func sources() throws -> String {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return try (files?.allObjects ?? []).compactMap { $0 as? URL }
      .filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
  }

  @Test func `no number is missing`() throws {
    let known = Set(try Self.rows().flatMap(\.ids))
    let missing = Self.wanted.flatMap { $0.map { "B\($0)" } }.filter { !known.contains($0) }
    #expect(missing.isEmpty)
    let unheard = Self.reports.map { String(format: "R%03d", $0) }.filter { !known.contains($0) }
    #expect(unheard.isEmpty)
  }

  @Test func `each test that is named exists`() throws {
    let sources = try Self.sources()
    let tests = Set(sources.matches(of: /func `([^`\n]+)`/).map { String($0.1) })
    let suites = Set(sources.matches(of: /(?:struct|class) (\w+Tests)\b/).map { String($0.1) })
    #expect(tests.count > 100)
    for row in try Self.rows() {
      #expect(!row.tests.isEmpty, "\(row.ids)")
      for name in row.tests.matches(of: /`([^`]+)`/).map({ String($0.1) }) {
        #expect(tests.contains(name) || suites.contains(name), "\(row.ids): \(name)")
      }
      if row.tests.contains("the tests of these numbers") {
        for id in row.ids {
          #expect(tests.contains { Self.names($0, id) }, "\(id)")
        }
      }
    }
  }

  private static func names(_ test: String, _ id: String) -> Bool {
    test.split { !$0.isLetter && !$0.isNumber }.contains(Substring(id))
  }
}
