import Foundation

/// A file system of its own in memory, as small as a test wants; unmounted when it is released.
final class SmallDisk: Sendable {
  /// Whether this process may mount: as root, and not in every container.
  static let isPermitted: Bool = geteuid() == 0 && (try? SmallDisk(kilobytes: 64)) != nil

  let path: String

  init(kilobytes: Int) throws {
    path = FileManager.default.temporaryDirectory.path + "/disk-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard Self.run("mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path]) else {
      try? FileManager.default.removeItem(atPath: path)
      throw CocoaError(.fileWriteNoPermission)
    }
  }

  deinit {
    _ = Self.run("umount", ["-l", path])
    try? FileManager.default.removeItem(atPath: path)
  }

  private static func run(_ program: String, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
