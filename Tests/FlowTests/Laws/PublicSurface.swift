import Foundation

/// What the sources of Flow declare for users: operators by name and labels, and publisher types.
///
/// It reads the text as a compiler would, as far as it must: without comments and strings, by
/// braces and not by lines, with all attributes and modifiers.
struct PublicSurface {
  /// Members of extensions of `Publisher`, of its refinements, of the publishers that operators
  /// return, and of the standard library's types: `prefix(while:)`, `values`.
  private(set) var members: Set<String> = []
  /// Types that are publishers: `Just`, `Publishers.Map`.
  private(set) var publishers: Set<String> = []

  /// What types have to have, and users do not call.
  private static let requirements: Set<String> = [
    "receive(subscriber:)", "makeAsyncIterator()", "hash(into:)", "== (left:right:)", "description",
  ]

  /// The types that Flow declares itself.
  private var own: Set<String> = []

  private struct Scope {
    var name = ""
    var isPublicExtension = false
  }

  /// Reads the sources of Flow, found from this file's place in the package.
  init(testFile: String = #filePath) throws {
    let folder = URL(filePath: testFile).deletingLastPathComponent()
      .appending(path: "../../../Sources/Streams").standardized
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    self.init(
      sources: try files.sorted().filter { $0.hasSuffix(".swift") }.map {
        try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
      })
  }

  /// The surface of Flow, read once.
  static let flow = Result { try PublicSurface() }

  init(sources: [String]) {
    let texts = sources.map(Self.bare)
    for text in texts {
      let words = text.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
      for (kind, name) in zip(words, words.dropFirst())
      where Self.kinds.contains(String(decoding: kind, as: UTF8.self)) {
        let letters = String(decoding: name, as: UTF8.self).prefix { $0.isLetter || $0.isNumber }
        own.insert(String(letters))
      }
    }
    for text in texts { read(text) }
    members.subtract(Self.requirements)
  }

  private static let kinds: Set<String> = ["struct", "class", "enum", "protocol", "actor"]

  mutating func read(_ source: String) { read(Self.bare(source)) }

  private mutating func read(_ text: [UInt8]) {
    var scopes: [Scope] = []
    var head: [UInt8] = []
    var depth = 0
    for byte in text {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "{") where depth == 0:
        scopes.append(open(String(decoding: head, as: UTF8.self), in: scopes))
        head = []
        continue
      case UInt8(ascii: "}") where depth == 0:
        scopes.removeLast()
        head = []
        continue
      default: break
      }
      head.append(byte == UInt8(ascii: "\n") ? UInt8(ascii: " ") : byte)
    }
  }

  /// Notes the declaration that a brace begins, and returns the scope inside.
  private mutating func open(_ head: String, in scopes: [Scope]) -> Scope {
    // Inside a body there is nothing to see.
    if scopes.last?.name == "-" { return Scope(name: "-") }
    let keyword = /\b(func|var|subscript|struct|class|enum|protocol|actor|extension)\b/
    let modifier = /^(public|open|static|final|nonisolated|mutating|indirect|borrowing|consuming)$/
    // Declarations without braces may stand before it.
    guard let match = head.matches(of: keyword).last else { return Scope(name: "-") }
    var isPublic = scopes.last?.isPublicExtension ?? false
    for word in head[..<match.range.lowerBound].split(separator: " ").reversed() {
      if word.hasPrefix("@") || word.hasSuffix(")") { continue }
      guard word.wholeMatch(of: modifier) != nil else { break }
      if word == "public" || word == "open" { isPublic = true }
    }
    let rest = head[match.range.upperBound...].drop { $0 == " " }
    let name = String(rest.prefix { $0.isLetter || $0.isNumber || "_.`".contains($0) })
    let outer = scopes.map(\.name).joined(separator: ".")
    switch match.1 {
    case "func" where isPublic:
      if Self.isForUsers(outer, own) { members.insert(Self.signature(rest)) }
      return Scope(name: "-")
    case "var" where isPublic:
      if Self.isForUsers(outer, own), !outer.hasPrefix("Publishers.") { members.insert(name) }
      return Scope(name: "-")
    case "func", "var", "subscript": return Scope(name: "-")
    case "extension":
      if Self.isPublisher(rest) { publishers.insert(name) }
      return Scope(name: name, isPublicExtension: isPublic)
    default:
      if isPublic, match.1 != "protocol", Self.isPublisher(rest) {
        publishers.insert(outer.isEmpty ? name : "\(outer).\(name)")
      }
      return Scope(name: name)
    }
  }

  /// Whether members of this scope are operators or ends: all but those of Flow's other types.
  private static func isForUsers(_ scope: String, _ own: Set<String>) -> Bool {
    if scope.contains("-") || scope.isEmpty || scope.hasPrefix("Dispatch") { return false }
    let parts = scope.split(separator: ".").map(String.init)
    if parts[0] == "Publishers" { return parts.count == 2 }
    return scope.hasSuffix("Publisher") || scope == "Subject" || !own.contains(parts[0])
  }

  /// The text without comments and strings, as bytes: far quicker to go through than characters.
  private static func bare(_ source: String) -> [UInt8] {
    let text = Array(source.utf8)
    var result: [UInt8] = []
    var (index, comments) = (0, 0)
    func starts(_ word: StaticString) -> Bool {
      let bytes = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
      return text[index...].starts(with: bytes)
    }
    while index < text.count {
      if starts("/*") {
        (comments, index) = (comments + 1, index + 2)
      } else if comments > 0 {
        if starts("*/") { (comments, index) = (comments - 1, index + 1) }
        index += 1
      } else if starts("//") {
        while index < text.count, text[index] != UInt8(ascii: "\n") { index += 1 }
      } else if text[index] == UInt8(ascii: "\"") {
        index = endOfString(text, from: index)
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }

  /// The place behind the string that begins at `start`; strings inside its interpolations go with it.
  private static func endOfString(_ text: [UInt8], from start: Int) -> Int {
    let quote = UInt8(ascii: "\"")
    let isLong = text[start...].starts(with: [quote, quote, quote])
    var index = start + (isLong ? 3 : 1)
    var depth = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\\") where depth == 0:
        if index + 1 < text.count, text[index + 1] == UInt8(ascii: "(") { depth = 1 }
        index += 1
      case UInt8(ascii: "(") where depth > 0: depth += 1
      case UInt8(ascii: ")") where depth > 0: depth -= 1
      case quote where depth > 0:
        index = endOfString(text, from: index)
        continue
      case quote where !isLong: return index + 1
      case quote where text[index...].starts(with: [quote, quote, quote]): return index + 3
      default: break
      }
      index += 1
    }
    return index
  }

  /// Whether a type's head names a publisher protocol among what it conforms to.
  private static func isPublisher(_ declaration: Substring) -> Bool {
    let head = declaration.split(separator: /\bwhere\b/)[0]
    var depth = 0
    guard
      let colon = head.firstIndex(where: { character in
        if character == "<" { depth += 1 }
        if character == ">" { depth -= 1 }
        return depth == 0 && character == ":"
      })
    else { return false }
    let conformances = head[colon...]
    return ["Publisher", "ConnectablePublisher", "Subject"].contains { word in
      conformances.split { !$0.isLetter }.contains { $0 == word }
    }
  }

  /// `prefix(while:)` from a declaration that begins with the name.
  private static func signature(_ declaration: Substring) -> String {
    let name = declaration.prefix { $0 != "(" && $0 != "<" }.filter { $0 != "`" }
    if name.hasPrefix("==") { return "== (left:right:)" }
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
