import Foundation

/// A folder that results are written to, each whole or not at all.
struct OutputFolder: Sendable {
  /// As it was given.
  let path: String

  /// Makes the folder if need be, and proves that files can be written there.
  init(_ path: String) throws(OutputError) {
    self.path = path
    do {
      try Self.make(path)
      let probe = try TemporaryFile(in: path)
      probe.remove()
    } catch {
      throw .unusableFolder(path: path, reason: error.reason)
    }
  }

  /// Writes the file `name`, taking the place of an older one, and gives its path.
  @discardableResult
  func write(_ bytes: [UInt8], named name: String) throws(OutputError) -> String {
    let target = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
    do throws(SystemFailure) {
      try replace(target, with: bytes)
    } catch {
      throw .notWritten(path: target, reason: error.reason)
    }
    return target
  }

  private func replace(_ target: String, with bytes: [UInt8]) throws(SystemFailure) {
    let file = try TemporaryFile(in: path)
    do throws(SystemFailure) {
      try file.write(bytes)
      try file.rename(to: target)
    } catch {
      file.remove()
      throw error
    }
  }

  /// Makes the folder and those above it.
  private static func make(_ path: String) throws(SystemFailure) {
    var parts = path.split(separator: "/")[...]
    var made = path.hasPrefix("/") ? "" : "."
    while let part = parts.popFirst() {
      made += "/\(part)"
      guard mkdir(made, 0o755) != 0 else { continue }
      let failure = SystemFailure()
      guard failure.code == EEXIST || isFolder(made) else { throw failure }
    }
    guard isFolder(path) else { throw SystemFailure(code: ENOTDIR) }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
