import Foundation
import Synchronization

/// Time on the clock and on the processors, in seconds.
struct Usage {
  var wall: Double
  var cpu: Double

  /// What `body` costs this process, all threads.
  static func ofThisProcess(_ body: () -> Void) -> Usage {
    let before = processorTime(ofChildren: false)
    let wall = nanoseconds(body) / 1e9
    return Usage(wall: wall, cpu: processorTime(ofChildren: false) - before)
  }

  static func processorTime(ofChildren: Bool) -> Double {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(ofChildren ? RUSAGE_CHILDREN.rawValue : RUSAGE_SELF.rawValue, &usage)
    #else
      getrusage(ofChildren ? RUSAGE_CHILDREN : RUSAGE_SELF, &usage)
    #endif
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}

/// The curl program, fed with a list of addresses; what it fetches is dropped unless told.
struct CurlCommand {
  let arguments: [String]
  let urls: [String]
  var output = "/dev/null"

  func run() -> Usage {
    let file = FileManager.default.temporaryDirectory.appending(path: "flow-\(UUID()).curl")
    let lines = urls.map { "url = \"\($0)\"\noutput = \"\(output)\"" }.joined(separator: "\n")
    guard (try? Data(lines.utf8).write(to: file)) != nil else { return Usage(wall: 0, cpu: 0) }
    defer { try? FileManager.default.removeItem(at: file) }
    let words =
      ["curl"]
      + (urls.isEmpty
        ? ["--version"]
        : ["--silent", "--config", file.path(percentEncoded: false)] + arguments)
    let usage = Self.run("/usr/bin/curl", words)
    precondition(usage.wall > 0, "curl did not run")
    return usage
  }

  /// Straight through the system: Foundation's `Process` notices an end only after a while.
  private static func run(_ program: String, _ words: [String]) -> Usage {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    for stream: Int32 in [1, 2] {
      posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_WRONLY, 0)
    }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    let before = Usage.processorTime(ofChildren: true)
    var status: Int32 = -1
    let wall = nanoseconds {
      var child: pid_t = 0
      guard posix_spawn(&child, program, &files, nil, &arguments, environ) == 0 else { return }
      waitpid(child, &status, 0)
    }
    guard status == 0 else { return Usage(wall: 0, cpu: 0) }
    return Usage(wall: wall / 1e9, cpu: Usage.processorTime(ofChildren: true) - before)
  }
}

/// What this process holds, as Linux tells it.
enum MemoryUse {
  /// Bytes resident now.
  static var current: Int { field("VmRSS") * 1024 }
  /// Bytes resident at most since `resetPeak`.
  static var peak: Int { field("VmHWM") * 1024 }
  static var threads: Int { field("Threads") }
  static var descriptors: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  static func resetPeak() {
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }

  private static func field(_ name: String) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") })
    else { return 0 }
    return Int(line.filter(\.isNumber)) ?? 0
  }
}

/// Counts from any thread, and waits for a count.
final class Counter: Sendable {
  private let count = Atomic(0)
  private let awaited = Atomic(Int.max)
  private let reached = DispatchSemaphore(value: 0)

  var value: Int { count.load(ordering: .acquiring) }

  func add(_ amount: Int = 1) {
    let now = count.add(amount, ordering: .sequentiallyConsistent).newValue
    if now >= awaited.load(ordering: .sequentiallyConsistent) { reached.signal() }
  }

  /// Sleeps until then: looking again and again would be counted as work. Once a counter.
  func wait(for target: Int) {
    awaited.store(target, ordering: .sequentiallyConsistent)
    while count.load(ordering: .sequentiallyConsistent) < target { reached.wait() }
  }
}
