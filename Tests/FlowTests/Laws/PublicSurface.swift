import Foundation

/// What the sources of Flow declare for users: operators by name and labels, and publisher types.
struct PublicSurface {
  /// Members of extensions of `Publisher` and its refinements: `prefix(while:)`, `values`.
  private(set) var members: Set<String> = []
  /// Types that are publishers: `Just`, `Publishers.Map`.
  private(set) var publishers: Set<String> = []

  /// Reads the sources of Flow, found from this file's place in the package.
  init(testFile: String = #filePath) throws {
    let sources = URL(filePath: testFile).deletingLastPathComponent()
      .appending(path: "../../../Sources/Streams").standardized
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    for file in files.sorted() where file.hasSuffix(".swift") {
      read(try String(contentsOf: sources.appending(path: file), encoding: .utf8))
    }
  }

  private mutating func read(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var scope = ""
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("extension ") { scope = Self.name(after: "extension ", in: line) }
      if line.hasPrefix("}") { scope = "" }
      // A declaration may run over several lines.
      let rest = lines[index..<min(index + 16, lines.count)].joined(separator: " ")
      let declaration = rest.drop { $0 == " " }
      for kind in ["public struct ", "public final class ", "public class ", "public enum "]
      where declaration.hasPrefix(kind) {
        let head = declaration.prefix { $0 != "{" }
        guard Self.isPublisher(head) else { continue }
        let name = Self.name(after: kind, in: head)
        publishers.insert(scope == "Publishers" ? "Publishers.\(name)" : name)
      }
      guard scope.hasSuffix("Publisher") || scope == "Subject", scope != "AnyPublisher" else {
        continue
      }
      if declaration.hasPrefix("public func ") {
        members.insert(Self.signature(declaration.dropFirst("public func ".count)))
      } else if declaration.hasPrefix("public var ") {
        members.insert(Self.name(after: "public var ", in: declaration))
      }
    }
  }

  private static func name(after prefix: String, in text: some StringProtocol) -> String {
    String(text.dropFirst(prefix.count).prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }

  /// Whether a type's head names a publisher protocol among what it conforms to.
  private static func isPublisher(_ head: Substring) -> Bool {
    var depth = 0
    guard
      let colon = head.firstIndex(where: { character in
        if character == "<" { depth += 1 }
        if character == ">" { depth -= 1 }
        return depth == 0 && character == ":"
      })
    else { return false }
    let conformances = head[colon...].split(separator: " where ")[0]
    return ["Publisher", "ConnectablePublisher", "Subject"].contains { word in
      conformances.split { !$0.isLetter }.contains { $0 == word }
    }
  }

  /// `prefix(while:)` from a declaration that begins with the name.
  private static func signature(_ declaration: Substring) -> String {
    let name = declaration.prefix { $0 != "(" && $0 != "<" }.filter { $0 != "`" }
    var depth = 0
    var angles = 0
    var labels = ""
    var isLabel = true
    var label = ""
    for character in declaration.drop(while: { $0 != "(" }) {
      switch character {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      case "<": angles += 1
      case ">": angles = max(0, angles - 1)
      case ",": if depth == 1, angles == 0 { (isLabel, label) = (true, "") }
      case ":", " ":
        if depth == 1, angles == 0, isLabel, !label.isEmpty {
          labels += "\(label):"
          isLabel = false
        }
      default: if isLabel, depth == 1 { label.append(character) }
      }
      if depth == 0 { break }
    }
    return "\(name)(\(labels))"
  }
}
