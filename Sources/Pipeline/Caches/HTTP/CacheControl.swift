/// The directives of `Cache-Control` fields (RFC 9111 section 5.2), names in lower case.
struct CacheControl: Equatable {
  private var directives: [String: String?] = [:]

  /// Reads all such fields of a message; of directives given twice the first counts.
  init(_ headers: [HeaderField]) {
    var isGiven = false
    for field in headers where field.name.lowercased() == "cache-control" {
      isGiven = true
      for item in Self.items(field.value) { add(item) }
    }
    // Section 5.4: what HTTP/1.0 said instead.
    let pragma = headers.first { $0.name.lowercased() == "pragma" }
    if !isGiven, pragma?.value.lowercased().contains("no-cache") == true { add("no-cache") }
  }

  /// Whether the directive is there, with or without a value.
  func has(_ name: String) -> Bool { directives[name] != nil }

  /// The directive's value in seconds. A value that is no number counts as 0, so that what can not
  /// be understood is taken for stale; one too large for 31 bits counts as 2³¹ (section 1.2.2).
  func seconds(_ name: String) -> Int? {
    guard let value = directives[name] else { return nil }
    guard let text = value, !text.isEmpty, text.allSatisfy(\.isASCIIDigit) else { return 0 }
    return min(Int(text) ?? 1 << 31, 1 << 31)
  }

  /// Whether `max-stale` stands without a value: any staleness will do.
  var acceptsAnyStaleness: Bool {
    if case .some(.none) = directives["max-stale"] { return true }
    return false
  }

  private mutating func add(_ item: String) {
    let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0].trimmed.lowercased()
    guard !name.isEmpty, directives[name] == nil else { return }
    let value = parts.count > 1 ? parts[1].trimmed : nil
    directives[name] = .some(value.map { $0.trimmingQuotes })
  }

  /// Parts between commas that stand outside quotes.
  private static func items(_ text: String) -> [String] {
    var items = [""]
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character == ",", !isQuoted {
        items.append("")
      } else {
        items[items.count - 1].append(character)
      }
    }
    return items
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

extension StringProtocol {
  /// Without blanks and tabs at its ends.
  var trimmed: String {
    var part = self[...]
    while let first = part.first, first == " " || first == "\t" { part = part.dropFirst() }
    while let last = part.last, last == " " || last == "\t" { part = part.dropLast() }
    return String(part)
  }

  fileprivate var trimmingQuotes: String {
    count >= 2 && first == "\"" && last == "\"" ? String(dropFirst().dropLast()) : String(self)
  }
}
