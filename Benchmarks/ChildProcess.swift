import Foundation

/// A program run to its end, and what it cost.
enum ChildProcess {
  struct Cost {
    /// Seconds.
    var cpu: Double
    /// Bytes resident at most.
    var peak: Double
  }

  /// What this program is called with to run another and write down what that cost.
  static let argument = "--cost"

  /// `nil` when it can not be run, or fails.
  ///
  /// Run by a small process between: the kernel counts what is resident where a program is started
  /// as the program's own.
  static func run(_ program: String, _ words: [String]) -> Cost? {
    let file = FileManager.default.temporaryDirectory.appending(path: "cost-\(UUID())").path
    defer { unlink(file) }
    let own = CommandLine.arguments[0]
    guard spawn(own, [own, argument, file, program] + words) != nil,
      let text = try? String(contentsOfFile: file, encoding: .utf8)
    else { return nil }
    let numbers = text.split(separator: " ").compactMap { Double($0) }
    return numbers.count == 2 ? Cost(cpu: numbers[0], peak: numbers[1]) : nil
  }

  /// Does the work of the process between, and ends it.
  static func run(_ arguments: [String]) -> Never {
    guard let cost = spawn(arguments[1], Array(arguments[2...])) else { exit(1) }
    let text = "\(cost.cpu) \(cost.peak)"
    exit((try? text.write(toFile: arguments[0], atomically: false, encoding: .utf8)) == nil ? 1 : 0)
  }

  private static func spawn(_ program: String, _ words: [String]) -> Cost? {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    for stream: Int32 in [1, 2] {
      posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_WRONLY, 0)
    }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var (child, status, usage): (pid_t, Int32, rusage) = (0, -1, rusage())
    guard posix_spawn(&child, program, &files, nil, &arguments, environ) == 0,
      wait4(child, &status, 0, &usage) == child, status == 0
    else { return nil }
    let seconds = [usage.ru_utime, usage.ru_stime].reduce(0.0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
    return Cost(cpu: seconds, peak: Double(usage.ru_maxrss) * 1_024)
  }
}
