import Foundation

/// What stands on the command line: a URL, or the path of a file.
enum SourceArgument {
  /// The address to load. What does not begin with a scheme is a path.
  static func url(_ text: String) -> URL {
    if hasScheme(text), let url = URL(string: text) { return url }
    return URL(fileURLWithPath: text)
  }

  private static func hasScheme(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":") else { return false }
    let scheme = text[..<colon].lowercased()
    return scheme == "data" || scheme == "file" || text[colon...].hasPrefix("://")
  }
}
