import Foundation

/// The few socket calls a test server needs.
enum Socket {
  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let sendFlags = Int32(MSG_NOSIGNAL)
  #else
    private static let stream = SOCK_STREAM
    private static let sendFlags: Int32 = 0
  #endif

  static func listen() throws -> (socket: Int32, port: UInt16) {
    let socket = Foundation.socket(AF_INET, stream, 0)
    guard socket >= 0 else { throw SocketFailure(call: "socket", code: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && Foundation.listen(socket, 1024) == 0
          && getsockname(socket, $0, &length) == 0
      }
    }
    guard bound else { throw SocketFailure(call: "bind", code: errno) }
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  static func accept(_ listener: Int32) -> Int32? {
    while true {
      let socket = Foundation.accept(listener, nil, nil)
      if socket >= 0 {
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
        return socket
      }
      guard errno == EINTR || errno == ECONNABORTED else { return nil }
    }
  }

  static func receive(from socket: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(socket, &buffer, buffer.count, 0)
    return count < 0 ? nil : Array(buffer[..<count])
  }

  static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress?.advanced(by: sent), bytes.count - sent, sendFlags)
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Whether the other side has closed; looks for at most `waiting` milliseconds.
  static func isClosedByPeer(_ socket: Int32, waiting: Int32) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, waiting) > 0 else { return false }
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_PEEK)) <= 0
  }

  /// Makes the coming `close` send a reset.
  static func resetOnClose(_ socket: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  static func shutDown(_ socket: Int32) { shutdown(socket, Int32(SHUT_RDWR)) }

  static func close(_ socket: Int32) { Foundation.close(socket) }
}

/// The system gave no socket.
public struct SocketFailure: Error {
  /// Which call failed.
  public let call: String
  /// Its `errno`.
  public let code: Int32
}
