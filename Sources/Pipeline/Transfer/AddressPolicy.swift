/// Which addresses a downloader connects to.
///
/// The address is checked when the connection is made, after the name look-up, for each redirect,
/// and once more when an open connection is used again. So neither a name that leads home nor an
/// odd way to write a number gets around it.
public enum AddressPolicy: Sendable, Hashable {
  /// All.
  case any
  /// Only what the public internet routes: for servers that load URLs of strangers. Loopback,
  /// private, link-local, shared (CGNAT), multicast and reserved addresses are refused, also when
  /// an IPv6 address holds one of them. Proxies are not used, since they would do the connecting.
  case publicOnly
  /// Those, and the addresses given, as `10.1.2.3` or `fd00::1`: a neighbour that serves images.
  case publicAnd(Set<String>)

  /// Whether a connection to the address in network order, 4 or 16 bytes, is allowed.
  func allows(_ address: [UInt8]) -> Bool {
    switch self {
    case .any: true
    case .publicOnly: Self.isPublic(address)
    case .publicAnd(let known):
      Self.isPublic(address) || known.contains { SocketAddress.bytes(of: $0) == address }
    }
  }

  private static func isPublic(_ address: [UInt8]) -> Bool {
    address.count == 4 ? isPublic(v4: address) : isPublic(v6: address)
  }

  private static func isPublic(v4 address: [UInt8]) -> Bool {
    switch (address[0], address[1], address[2]) {
    case (0, _, _), (10, _, _), (127, _, _): false
    case (100, 64...127, _): false  // Shared by carriers.
    case (169, 254, _): false  // Link-local, where clouds keep their secrets.
    case (172, 16...31, _), (192, 168, _): false
    case (192, 0, 0), (192, 0, 2), (198, 51, 100), (203, 0, 113): false  // Protocols, examples.
    case (192, 88, 99): false  // Relays to IPv6.
    case (198, 18...19, _): false  // Benchmarks.
    case (224..., _, _): false  // Multicast, reserved, broadcast.
    default: true
    }
  }

  private static func isPublic(v6 address: [UInt8]) -> Bool {
    guard address.count == 16 else { return false }
    func begins(_ prefix: UInt8...) -> Bool { address.starts(with: prefix) }
    let last = Array(address[12...])
    // NAT64 with the well-known prefix: the IPv4 address decides.
    if begins(0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0) { return isPublic(v4: last) }
    // 6to4 holds its IPv4 address after the prefix.
    if begins(0x20, 0x02) { return isPublic(v4: Array(address[2..<6])) }
    // Only 2000::/3 is routed; mapped, compatible, loopback, local and multicast lie outside.
    guard address[0] & 0xE0 == 0x20 else { return false }
    // Teredo and other protocols, benchmarks, examples.
    if begins(0x20, 0x01), address[2] < 0x02 { return false }
    if begins(0x20, 0x01, 0x0D, 0xB8) || begins(0x3F, 0xFF) { return false }
    return true
  }
}
