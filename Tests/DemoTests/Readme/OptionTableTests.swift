import Foundation
import Testing

struct OptionTableTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Rows of the table: the option, and what stands in backquotes on its right.
  private static func rows() throws -> [(option: String, code: [String])] {
    let readme = try text("README.md")
    let section = readme.components(separatedBy: "## If you know SDWebImage").last ?? ""
    let table = section.components(separatedBy: "\n## ")[0]
    return table.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let code = cells.count > 1 ? cells[1].matches(of: /`([^`]+)`/).map { String($0.1) } : []
      return (cells[0].filter { $0 != "`" }, code)
    }
  }

  @Test func `each statement in the table of options is compiled`() throws {
    let compiled = Set(
      try Self.text("Tests/DemoTests/Readme/OptionExamples.swift").split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) })
    let rows = try Self.rows()
    #expect(rows.count > 30)
    for row in rows {
      for code in row.code { #expect(compiled.contains(code), "\(row.option): \(code)") }
    }
  }

  @Test func `B216–B240: each option of the original has a row`() throws {
    let options = [
      "RetryFailed", "LowPriority", "ProgressiveLoad", "RefreshCached", "ContinueInBackground",
      "HandleCookies", "AllowInvalidSSLCertificates", "HighPriority", "DelayPlaceholder",
      "TransformAnimatedImage", "AvoidAutoSetImage", "ScaleDownLargeImages", "QueryMemoryData",
      "QueryMemoryDataSync", "QueryDiskDataSync", "FromCacheOnly", "FromLoaderOnly",
      "ForceTransition", "AvoidDecodeImage", "DecodeFirstFrameOnly", "PreloadAllFrames",
      "MatchAnimatedImageClass", "WaitStoreCache", "TransformVectorImage",
    ]
    let rows = try Self.rows()
    for option in options {
      let row = rows.first { $0.option.split(separator: ",").contains { $0.contains(option) } }
      #expect(row != nil, "\(option)")
      if option != "TransformVectorImage" { #expect(row?.code.isEmpty == false, "\(option)") }
    }
  }
}
