/// File names for results, each used once.
struct OutputNames {
  private var used: Set<String> = []

  /// A name made of the last part of `source`: `photo.png` for `http://host/photo.jpg?size=2`.
  mutating func name(for source: String) -> String {
    let stem = Self.stem(of: source)
    var name = "\(stem).png"
    var number = 2
    while !used.insert(name).inserted {
      name = "\(stem)-\(number).png"
      number += 1
    }
    return name
  }

  private static func stem(of source: String) -> String {
    if source.hasPrefix("data:") { return "data" }
    let isURL = source.contains("://")
    let path = isURL ? source.prefix { $0 != "?" && $0 != "#" } : source[...]
    let last = path.split(separator: "/").last.map(String.init) ?? ""
    let stem = last.lastIndex(of: ".").map { String(last[..<$0]) } ?? last
    let safe = stem.enumerated().map { index, letter in
      let isFit = letter.isLetter || letter.isNumber || "-_@+".contains(letter)
      return isFit || (letter == "." && index > 0) ? letter : "-"
    }
    return safe.isEmpty ? "image" : String(String(safe).prefix(80))
  }
}
