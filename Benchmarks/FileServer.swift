import Foundation

/// A plain HTTP server for measuring transfers, run in a process of its own so that its work is not
/// counted as ours. `/N` answers with N bytes; `/hold` answers the head of a body that never comes;
/// `/file` answers with the bytes of the file it was started with.
enum FileServer {
  static let argument = "serve-files"

  /// Starts this program again as a server. The caller ends it.
  static func start(file: String? = nil) throws -> (process: Process, port: UInt16) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [argument] + (file.map { [$0] } ?? [])
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = UInt16(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw CocoaError(.fileReadUnknown)
    }
    return (process, port)
  }

  /// Serves for ever; writes its port first.
  static func run() -> Never {
    signal(SIGPIPE, SIG_IGN)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(listener, $0, length)
        _ = getsockname(listener, $0, &length)
      }
    }
    listen(listener, 4096)
    let file = CommandLine.arguments.last.flatMap { FileManager.default.contents(atPath: $0) }
    let picture = file.map { Array($0) } ?? []
    print(UInt16(bigEndian: address.sin_port))
    fflush(nil)
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { continue }
      let thread = Thread { answer(connection, picture) }
      thread.stackSize = 128 << 10
      thread.start()
    }
  }

  private static func answer(_ connection: Int32, _ picture: [UInt8]) {
    defer { close(connection) }
    var on: Int32 = 1
    setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(4))
    let block = [UInt8](repeating: 0x55, count: 256 << 10)
    var request = [UInt8](repeating: 0, count: 8192)
    while true {
      let count = recv(connection, &request, request.count, 0)
      guard count > 0 else { return }
      let target = String(decoding: request[..<count], as: UTF8.self).split(separator: " ")[1]
      if target.hasPrefix("/file") {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(picture.count)\r\n\r\n"
        let all = Array(head.utf8) + picture
        guard writeAll(connection, all) else { return }
        continue
      }
      let size = Int(target.dropFirst().prefix { $0.isNumber })
      let head = "HTTP/1.1 200 OK\r\nContent-Length: \(size ?? 1000)\r\n\r\n"
      var left = size ?? 0
      let first = Array(head.utf8) + block.prefix(min(left, 32 << 10))
      left -= first.count - head.utf8.count
      guard write(connection, first, first.count) == first.count else { return }
      while left > 0 {
        let sent = write(connection, block, min(left, block.count))
        guard sent > 0 else { return }
        left -= sent
      }
    }
  }

  private static func writeAll(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = write(
          connection, buffer.baseAddress.map { $0 + written }, buffer.count - written)
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }
}
