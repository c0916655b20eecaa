import Foundation

/// Another library that changes pictures, in a process of its own: `Scripts/transform-peers.py`.
final class TransformPeer {
  let name: String
  /// As it says of itself; `nil` when it is not on this machine.
  private(set) var version: String?
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())
  private var rest = Data()
  private let folder = FileManager.default.temporaryDirectory.appending(path: "peer-\(UUID())")

  init(_ name: String) {
    self.name = name
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "Scripts/transform-peers.py", name]
    (process.standardInput, process.standardOutput) = (input, output)
    process.standardError = FileHandle.nullDevice
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard (try? process.run()) != nil else { return }
    let words = line().split(separator: " ")
    if words.first == "ready" { version = words.dropFirst().joined(separator: " ") }
  }

  deinit {
    try? input.fileHandleForWriting.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// What stands in a line's note.
  var label: String { version.map { "\(name) \($0)" } ?? "\(name.uppercased()) IS NOT HERE" }

  /// Gives it the picture that what follows is about.
  func keep(_ bytes: Data, width: Int, height: Int) {
    let file = folder.appending(path: "in")
    try? bytes.write(to: file)
    _ = ask("keep \(file.path) \(width) \(height)")
  }

  /// Milliseconds of processor time; 0 when it can not.
  func time(_ command: String) -> Double { Double(ask(command)) ?? 0 }

  /// What comes out.
  func result(_ command: String) -> Data? {
    let file = folder.appending(path: "out")
    guard Double(ask("\(command) \(file.path)")) != nil else { return nil }
    return try? Data(contentsOf: file)
  }

  private func ask(_ text: String) -> String {
    guard version != nil else { return "" }
    try? input.fileHandleForWriting.write(contentsOf: Data("\(text)\n".utf8))
    return line()
  }

  private func line() -> String {
    while true {
      if let end = rest.firstIndex(of: 10) {
        defer { rest = Data(rest[(end + 1)...]) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { return "" }
      rest += more
    }
  }
}

/// A program that runs to its end, its output dropped.
struct ProgramRun {
  /// Milliseconds on the clock.
  let wall: Double
  /// Milliseconds on the processors.
  let processor: Double

  /// `nil` when it can not be run or fails.
  ///
  /// Straight through the system: Foundation's `Process` notices an end only after a while.
  init?(_ words: [String]) {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    for stream: Int32 in [1, 2] {
      posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_WRONLY, 0)
    }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var (status, usage) = (Int32(-1), rusage())
    let time = nanoseconds {
      var child: pid_t = 0
      guard posix_spawnp(&child, words[0], &files, nil, &arguments, environ) == 0 else { return }
      wait4(child, &status, 0, &usage)
    }
    guard status == 0 else { return nil }
    func milliseconds(_ time: timeval) -> Double {
      Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3
    }
    wall = time / 1e6
    processor = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
  }
}
