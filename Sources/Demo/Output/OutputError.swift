/// Why a result was not written; nothing of it remains.
enum OutputError: Error, Equatable, CustomStringConvertible {
  /// The folder can not be made, or nothing can be written into it.
  case unusableFolder(path: String, reason: String)
  /// The file was not written.
  case notWritten(path: String, reason: String)

  /// One plain sentence, without full stop.
  var description: String {
    switch self {
    case .unusableFolder(let path, let reason):
      "the output folder \(path) can not be used: \(reason)"
    case .notWritten(let path, let reason): "\(path) was not written: \(reason)"
    }
  }
}
