import Foundation

/// A folder of its own for one test, removed when it is released.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.path + "/cache-" + UUID().uuidString
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Paths of all files below `part`, relative to it, sorted.
  func files(in part: String = "") -> [String] {
    let root = path + "/" + part
    return (FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? [])
      .filter {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: root + "/" + $0, isDirectory: &isFolder)
        return !isFolder.boolValue
      }
      .sorted()
  }
}
