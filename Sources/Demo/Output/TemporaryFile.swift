import Foundation

/// A file that is not yet the result: written first, renamed when it is whole.
struct TemporaryFile {
  private let descriptor: Int32
  private let path: String

  /// Makes an empty file in `folder`, under a name nobody uses.
  init(in folder: String) throws(SystemFailure) {
    var template = Array("\(folder)/.unfinished-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw SystemFailure() }
    fchmod(descriptor, 0o644)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws(SystemFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemFailure() }
      rest = rest.dropFirst(count)
    }
  }

  /// Gives it its name; it is no longer temporary then.
  func rename(to target: String) throws(SystemFailure) {
    guard Foundation.rename(path, target) == 0 else { throw SystemFailure() }
    close(descriptor)
  }

  /// Leaves nothing behind.
  func remove() {
    close(descriptor)
    unlink(path)
  }
}

/// A system call failed.
struct SystemFailure: Error {
  /// Its `errno`.
  let code: Int32

  init(code: Int32 = errno) { self.code = code }

  /// The system's words for it.
  var reason: String { String(cString: strerror(code)).lowercased() }
}
