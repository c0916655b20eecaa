import Foundation

/// What this process holds of the system.
public enum ProcessCounts {
  /// Threads that run now; 0 where the system does not tell.
  public static var threads: Int { entries("/proc/self/task") }
  /// Open file descriptors, sockets among them; 0 where the system does not tell.
  public static var descriptors: Int { entries("/proc/self/fd") }

  /// Bytes of memory in use; 0 where the system does not tell.
  public static var residentBytes: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
      let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return 0 }
    return pages * Int(getpagesize())
  }

  private static func entries(_ folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
  }
}
