import Foundation
import Synchronization

/// A real Redis server on 127.0.0.1 that keeps nothing on disk. It can be killed, halted and started
/// again on its port; ends when released.
public final class RedisServer: Sendable {
  /// Whether it is installed. Tests that need it are skipped otherwise.
  public static var isAvailable: Bool { program != nil }

  /// Where it listens.
  public let port: UInt16
  private let process: Mutex<Process>

  /// Starts it on a free port and waits until it answers. Another program may take the port in
  /// between: then on another, a few times.
  public init() throws {
    for _ in 0..<5 {
      let (socket, port) = try Socket.listen()
      Socket.close(socket)
      if let process = try Self.launch(port) {
        self.port = port
        self.process = Mutex(process)
        return
      }
    }
    throw RedisServerFailure()
  }

  deinit { kill() }

  /// Ends it at once, in the middle of whatever it does.
  public func kill() {
    process.withLock { process in
      guard process.isRunning else { return }
      // Halted processes do not end before they go on.
      Foundation.kill(process.processIdentifier, SIGKILL)
      Foundation.kill(process.processIdentifier, SIGCONT)
      process.waitUntilExit()
    }
  }

  /// Starts it again, empty, on the same port.
  public func restart() throws {
    kill()
    guard let started = try Self.launch(port) else { throw RedisServerFailure() }
    process.withLock { $0 = started }
  }

  /// Lets it take connections and answer nothing, until `goOn`.
  public func halt() { signal(SIGSTOP) }

  /// Lets it answer again.
  public func goOn() { signal(SIGCONT) }

  private func signal(_ signal: Int32) {
    process.withLock { _ = Foundation.kill($0.processIdentifier, signal) }
  }

  private static func launch(_ port: UInt16) throws -> Process? {
    let process = Process()
    process.executableURL = program
    process.arguments = [
      "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
    ]
    process.currentDirectoryURL = FileManager.default.temporaryDirectory
    let output = ServerOutput()
    process.standardOutput = output.pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    return output.says("Ready to accept connections") ? process : nil
  }

  private static var program: URL? {
    ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/redis-server" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
      .map { URL(fileURLWithPath: $0) }
  }
}

/// The server did not start.
public struct RedisServerFailure: Error {
  /// No more is known.
  public init() {}
}
