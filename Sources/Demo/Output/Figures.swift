import Foundation

/// Numbers as people read them.
enum Figures {
  /// `812 B`, `38.2 kB`, `1.4 MB`.
  static func bytes(_ count: Int) -> String {
    switch count {
    case ..<1000: "\(count) B"
    case ..<999_950: String(format: "%.1f kB", Double(count) / 1e3)
    default: String(format: "%.1f MB", Double(count) / 1e6)
    }
  }

  /// `0.21 ms`, `8.1 ms`, `812 ms`, `3.4 s`; `–` when there is none.
  static func time(_ duration: Duration?) -> String {
    guard let milliseconds = duration?.milliseconds else { return "–" }
    switch milliseconds {
    case ..<1: return String(format: "%.2f ms", milliseconds)
    case ..<10: return String(format: "%.1f ms", milliseconds)
    case ..<1000: return String(format: "%.0f ms", milliseconds)
    default: return String(format: "%.1f s", milliseconds / 1000)
    }
  }

  /// `http://host/a…/photo.jpg`: at most `width` characters, of which the end says more.
  static func shortened(_ text: String, to width: Int) -> String {
    guard text.count > width, width > 0 else { return text }
    let start = (width - 1) / 3
    return text.prefix(start) + "…" + text.suffix(width - 1 - start)
  }

  /// `1 load`, `5 loads`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}

extension Duration {
  /// The same in milliseconds.
  var milliseconds: Double {
    Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15
  }
}
