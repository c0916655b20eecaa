internal import CCurlShims

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The address of a connection that libcurl is about to make.
enum SocketAddress {
  /// The address in network order, 4 or 16 bytes, and as text. Neither for other families.
  static func read(_ address: UnsafeMutablePointer<curl_sockaddr>) -> (bytes: [UInt8], text: String)
  {
    let pointer = UnsafeRawPointer(address).advanced(
      by: MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
    switch address.pointee.family {
    case AF_INET:
      let parts = pointer.loadUnaligned(as: sockaddr_in.self)
      return text(AF_INET, of: withUnsafeBytes(of: parts.sin_addr) { Array($0) })
    case AF_INET6:
      let parts = pointer.loadUnaligned(as: sockaddr_in6.self)
      return text(AF_INET6, of: withUnsafeBytes(of: parts.sin6_addr) { Array($0) })
    default: return ([], "an address of another kind")
    }
  }

  /// An address as it is written, in network order, 4 or 16 bytes; `nil` when it is none.
  static func bytes(of text: String) -> [UInt8]? {
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
    var six = in6_addr()
    if inet_pton(AF_INET6, text, &six) == 1 { return withUnsafeBytes(of: six) { Array($0) } }
    return nil
  }

  /// The socket that libcurl would have opened.
  static func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    #if canImport(Glibc)
      let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    #else
      let type = address.pointee.socktype
    #endif
    return socket(address.pointee.family, type, address.pointee.protocol)
  }

  private static func text(_ family: Int32, of bytes: [UInt8]) -> ([UInt8], String) {
    var buffer = [CChar](repeating: 0, count: 64)
    let written = inet_ntop(family, bytes, &buffer, socklen_t(buffer.count))
    return (bytes, written.map { String(cString: $0) } ?? "an unreadable address")
  }
}
