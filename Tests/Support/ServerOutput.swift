import Foundation

/// What a server says while it starts, read until it says that it is ready.
struct ServerOutput {
  /// What the server's process writes into.
  let pipe = Pipe()

  /// Waits for the words; false when the server ended without them. Nobody reads what comes later:
  /// servers ignore that their words are lost.
  func says(_ words: String) -> Bool {
    var text = ""
    while true {
      let piece = pipe.fileHandleForReading.availableData
      if piece.isEmpty { return false }
      text += String(decoding: piece, as: UTF8.self)
      if text.contains(words) { return true }
    }
  }
}
