import Foundation
import Pipeline

/// Faults that need processes of their own.
final class CacheFaults {
  private(set) var wrongs = 0
  private let root = FileManager.default.temporaryDirectory.path + "/faults-\(UUID().uuidString)"

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// Kills a writer at a random moment, again and again; afterwards all that is there is whole, the
  /// total is right, and nothing temporary is left.
  func kill(times: Int) {
    var random = SystemRandomNumberGenerator()
    for round in 0..<times {
      let output = Pipe()
      guard let writer = start(seed: round, seconds: 10, limit: 20 << 20, output) else { return }
      // Not before it says that it writes: a killed writer that had not begun proves nothing.
      _ = output.fileHandleForReading.availableData
      // No wait for an event: the moment of the kill is to be any, in the middle of whatever it does.
      usleep(UInt32.random(in: 0..<60_000, using: &random))
      Foundation.kill(writer.processIdentifier, SIGKILL)
      writer.waitUntilExit()
      check(round: "kill \(round)")
    }
  }

  /// Eight processes at once; the folder keeps to its limit, and each reads what it should.
  func crowd(seconds: Double) {
    // The eight largest entries on their way at once are a tenth of it.
    let limit = 16 << 20
    let running = DispatchGroup()
    let writers = (0..<8).compactMap {
      start(seed: $0, seconds: seconds, limit: limit, in: running)
    }
    var largest = 0
    while running.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
      largest = max(largest, sizes().bytes)
    }
    for writer in writers where writer.terminationStatus != 0 {
      wrong("a process ended with \(writer.terminationStatus)")
    }
    if largest > limit + limit / 10 { wrong("\(largest) bytes with a limit of \(limit)") }
    print("largest: \(largest) bytes with a limit of \(limit)")
    check(round: "crowd")
  }

  /// Stores with files limited in size, as a full disk limits them, also where none can be made:
  /// what does not fit fails whole, what is there stays good.
  func full() {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: 60_000, rlim_max: 60_000)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    do {
      let cache = try DiskCache(folder: root)
      var failures = 0
      for number in 0..<300 {
        do {
          try cache.store(Self.bytes(number), for: "\(number)")
        } catch {
          guard case .notWritten = error else { return wrong("\(error)") }
          failures += 1
        }
      }
      if failures != cache.statistics.failures || !(100..<200).contains(failures) {
        wrong("\(failures) stores failed, \(cache.statistics)")
      }
      if cache.statistics.entryCount != 300 - failures { wrong("\(cache.statistics)") }
    } catch {
      wrong("\(error)")
    }
    check(round: "full")
  }

  /// Stores and reads until the time is over.
  func write(folder: String, seed: UInt64, seconds: Double, limit: Int) {
    var configuration = DiskCacheConfiguration()
    configuration.maximumSize = limit
    let end = ContinuousClock.now + .seconds(seconds)
    do {
      let cache = try DiskCache(folder: folder, configuration: configuration)
      FileHandle.standardOutput.write(Data("writing\n".utf8))
      var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
      while ContinuousClock.now < end {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let number = Int(state >> 33) % 500
        switch (state >> 20) % 16 {
        case 0..<6: try cache.store(Self.bytes(number), for: "\(number)")
        case 6: cache.remove("\(number)")
        default:
          if let entry = try cache.entry(for: "\(number)"), entry.bytes != Self.bytes(number) {
            wrong("wrong bytes under \(number)")
          }
        }
      }
      if cache.statistics.damaged > 0 { wrong("\(cache.statistics.damaged) damaged entries") }
    } catch {
      wrong("\(error)")
    }
  }

  private func check(round: String) {
    do {
      let cache = try DiskCache(folder: root)
      cache.flush()
      let left = try FileManager.default.contentsOfDirectory(atPath: root + "/temporary")
      if !left.isEmpty { wrong("\(round): \(left.count) temporary files") }
      let found = sizes()
      let statistics = cache.statistics
      if found.bytes != statistics.byteCount || found.count != statistics.entryCount {
        wrong("\(round): \(found) in the folder, \(statistics) in the books")
      }
      for number in 0..<500 {
        if let entry = try cache.entry(for: "\(number)"), entry.bytes != Self.bytes(number) {
          wrong("\(round): wrong bytes under \(number)")
        }
      }
      if cache.statistics.damaged > 0 { wrong("\(round): damaged entries") }
    } catch {
      wrong("\(round): \(error)")
    }
  }

  private func start(
    seed: Int, seconds: Double, limit: Int, _ output: Pipe? = nil, in group: DispatchGroup? = nil
  ) -> Process? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["write", root, "\(seed + 1)", "\(seconds)", "\(limit)"]
    process.standardOutput = output ?? FileHandle.nullDevice
    group?.enter()
    process.terminationHandler = { _ in group?.leave() }
    do {
      try process.run()
      return process
    } catch {
      group?.leave()
      wrong("a process did not start: \(error)")
      return nil
    }
  }

  private func sizes() -> (bytes: Int, count: Int) {
    var sum = (bytes: 0, count: 0)
    let files = FileManager.default.enumerator(atPath: root + "/entries")
    while let name = files?.nextObject() as? String {
      var status = stat()
      guard stat(root + "/entries/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        continue
      }
      sum.bytes += Int(status.st_size)
      sum.count += 1
    }
    return sum
  }

  private func wrong(_ what: String) {
    wrongs += 1
    FileHandle.standardError.write(Data((what + "\n").utf8))
  }

  /// The bytes that belong under a number: no two numbers have the same.
  private static func bytes(_ number: Int) -> ImageBytes {
    ImageBytes((0..<(200 + number * 400)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ number) })
  }
}
