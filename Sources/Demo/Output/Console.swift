import Foundation

/// Where the program writes.
struct Console: Sendable {
  /// Columns of the terminal that `write` goes to; `nil` when it is not a terminal.
  let terminalWidth: Int?
  /// Prints what was asked for.
  let write: @Sendable (String) -> Void
  /// Prints what went wrong.
  let writeError: @Sendable (String) -> Void

  /// Standard output and standard error.
  static let standard = Console(
    terminalWidth: width(of: STDOUT_FILENO),
    write: { put($0, STDOUT_FILENO) }, writeError: { put($0, STDERR_FILENO) })

  /// All of the text, or as much as the reader wants.
  private static func put(_ text: String, _ descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  private static func width(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    if ProcessInfo.processInfo.environment["TERM"] == "dumb" { return nil }
    var window = winsize()
    let known = ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
    return known ? Int(window.ws_col) : 80
  }
}
