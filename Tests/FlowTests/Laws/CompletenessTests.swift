import Foundation
import Testing

/// The table of the laws is complete: whoever adds an operator adds it there.
@Suite struct CompletenessTests {
  /// Members whose streams cannot be driven by hand, with laws of their own: `AsyncSourceLawTests`.
  static let awaited: Set<String> = ["asyncPublisher"]

  /// What turns values of the standard library into publishers that are in the table by type.
  static let conversions: Set<String> = ["publisher"]

  /// Members that are no operators.
  static let ends = Set(EndTable.cases.map(\.name)).union(awaited).union(conversions)

  @Test func `every public operator and end is in a table`() throws {
    let surface = try PublicSurface.flow.get()
    #expect(surface.members.count > 100, "the sources were not found or not understood")
    let known = Set(LawTable.cases.map(\.name)).union(Self.ends)
    // Whoever adds an operator adds its row: a `LawCase` in one of the files `LawTable+….swift`,
    // or an `EndCase` in `EndTable.swift`, with the member's labels as its name.
    #expect(surface.members.subtracting(known).sorted() == [])
    let gone = known.filter { $0.contains("(") || Self.ends.contains($0) }.subtracting(
      surface.members)
    #expect(gone.sorted() == [])
  }

  @Test func `every row of the tables uses what it is named for`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    var rows = 0
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where file.hasPrefix("LawTable") || file == "EndTable.swift" {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for row in text.components(separatedBy: "Case(\"").dropFirst() {
        rows += 1
        let name = row.prefix { $0.isLetter || $0 == "." || $0 == "_" }
        let body = row.drop { $0 != "{" }
        let base = name.split(separator: ".").last ?? name
        let calls = ["\(base)(", "\(base) {", "\(base)<", ".\(base) {", ".\(base)"]
        let isConverted = name.hasPrefix("Publishers.") && body.contains(".publisher")
        #expect(isConverted || calls.contains { body.contains($0) }, "\(name)")
      }
    }
    #expect(rows > 120)
  }

  @Test(arguments: [
    "extension Publisher {\n  @inlinable public func odd(_ x: Int) -> Int { x }\n}",
    "extension Publisher where Output == Int {\n  public nonisolated func odd(_ x: Int) {\n  }\n}",
    "@available(*, unavailable)\nextension Publisher {\n  @inlinable\n  public\n  func odd(_: Int) {}\n}",
    "public extension Publisher {\n  func odd(_ x: Int) {}\n}",
    "extension Subject { public func odd(_ x: Int) {} }",
    "extension Publishers.Merge {\n  public func odd(_ x: Int) -> Int { x }\n}",
    "extension Sequence {\n  public func odd(_ x: Int) -> Int { x }\n}",
  ])
  func `an operator is seen however it is written`(source: String) {
    var surface = PublicSurface(sources: [])
    surface.read(source)
    #expect(surface.members == ["odd(_:)"])
  }

  /// Publisher types of `AsyncSourceLawTests`.
  static let special: Set<String> = ["Publishers.FromAsyncSequence"]

  @Test func `every public publisher is in a table`() throws {
    let surface = try PublicSurface.flow.get()
    #expect(surface.publishers.count > 50)
    let known = LawTable.cases.flatMap { law in
      let base = law.name.prefix { $0 != "(" }
      return law.types + [law.name, "Publishers.\(base.prefix(1).uppercased())\(base.dropFirst())"]
    }
    #expect(surface.publishers.subtracting(known).subtracting(Self.special).sorted() == [])
  }
}
