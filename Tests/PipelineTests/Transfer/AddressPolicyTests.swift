import Foundation
import TestSupport
import Testing

@testable import Pipeline

/// A downloader for servers does not connect to its own neighbours.
struct AddressPolicyTests {
  private static func bytes(_ text: String) -> [UInt8] {
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
    var six = in6_addr()
    #expect(inet_pton(AF_INET6, text, &six) == 1, "\(text)")
    return withUnsafeBytes(of: six) { Array($0) }
  }

  @Test(arguments: [
    "127.0.0.1", "127.255.1.2", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255",
    "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255", "192.0.0.1", "192.0.2.1",
    "198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b::10.0.0.1", "64:ff9b:1::1", "fe80::1", "fec0::1", "fc00::1", "fd12::1", "ff02::1",
    "2001:db8::1", "2001::1", "2002:7f00:1::", "2002:a00:1::1", "100::1", "3fff::1",
  ])
  func `refused`(address: String) {
    #expect(!AddressPolicy.publicOnly.allows(Self.bytes(address)))
    #expect(AddressPolicy.any.allows(Self.bytes(address)))
  }

  @Test(arguments: [
    "8.8.8.8", "1.1.1.1", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1", "192.0.1.1",
    "198.20.0.1", "223.255.255.255", "2606:4700::1111", "2001:4860::8888", "64:ff9b::8.8.8.8",
    "2002:808:808::1",
  ])
  func `allowed`(address: String) {
    #expect(AddressPolicy.publicOnly.allows(Self.bytes(address)))
  }

  @Test func `an unknown kind of address is refused`() {
    #expect(!AddressPolicy.publicOnly.allows([]))
  }

  private var guarded: Downloader {
    var configuration = DownloaderConfiguration()
    configuration.addresses = .publicOnly
    return Downloader(configuration: configuration)
  }

  @Test(arguments: [
    "127.0.0.1", "localhost", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0",
    "[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "192.168.0.1", "169.254.169.254",
    "100.64.0.1",
  ])
  func `no form of an inner address is connected to`(host: String) async throws {
    let server = try FaultServer()
    server.serve("/a", [1])
    guard let url = URL(string: "http://\(host):\(server.port)/a") else { return }
    let transfer = await guarded.outcome(url)
    switch transfer.failure {
    case .addressRefused?: break
    // Without a route for IPv6 the system gives no such address to ask about.
    case .hostNotFound? where host.hasPrefix("["): break
    default: Issue.record("\(host): \(String(describing: transfer.end))")
    }
    #expect(server.counts.connections == 0)
  }

  private func guarded(but known: Set<String>) -> Downloader {
    var configuration = DownloaderConfiguration()
    configuration.addresses = .publicAnd(known)
    return Downloader(configuration: configuration)
  }

  @Test func `a known neighbour is connected to, and nobody else beside it`() {
    let policy = AddressPolicy.publicAnd(["10.1.2.3", "fd00::1", "nonsense"])
    for address in ["10.1.2.3", "fd00::1", "8.8.8.8"] {
      #expect(policy.allows(Self.bytes(address)))
    }
    for address in ["10.1.2.4", "fd00::2", "127.0.0.1"] {
      #expect(!policy.allows(Self.bytes(address)))
    }
  }

  @Test(arguments: ["127.0.0.2", "0177.0.0.2", "2130706434", "0"])
  func `a redirect to an inner address is refused, whoever sent it`(host: String) async throws {
    let server = try FaultServer()
    server.serve("/a", [1])
    server.redirect("/moved", to: "http://\(host):\(server.port)/a")
    let downloader = guarded(but: ["127.0.0.1"])
    #expect(await downloader.outcome(server.url("/a")).body == [1])
    let failure = await downloader.outcome(server.url("/moved")).failure
    guard case .addressRefused? = failure else {
      Issue.record("\(host): \(String(describing: failure))")
      return
    }
    #expect(server.counts.hits("/a") == 1)
  }

  @Test func `an open connection is not used when its address is allowed no more`() async throws {
    let server = try FaultServer()
    server.serve("/a", [1])
    let downloader = Downloader()
    #expect(await downloader.outcome(server.url("/a")).body == [1])
    downloader.configuration.addresses = .publicOnly
    let failure = await downloader.outcome(server.url("/a")).failure
    #expect(failure == .addressRefused("127.0.0.1"))
    #expect(server.counts.hits("/a") == 1)
  }

  @Test func `proxies are not used, since they would connect for us`() async throws {
    let server = try FaultServer()
    var configuration = DownloaderConfiguration()
    configuration.addresses = .publicOnly
    configuration.proxy = .url("http://127.0.0.1:\(server.port)")
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/a"))
    await Downloader(configuration: configuration).outcome(url)
    #expect(server.counts.connections == 0)
  }

  @Test func `a proxy that is set is used`() async throws {
    let proxy = try FaultServer()
    proxy.serve("http://no-such-host.invalid/a", [5])
    var configuration = DownloaderConfiguration()
    configuration.proxy = .url("http://127.0.0.1:\(proxy.port)")
    let url = try #require(URL(string: "http://no-such-host.invalid/a"))
    #expect(await Downloader(configuration: configuration).outcome(url).body == [5])
  }

  @Test func `a proxy that makes no tunnel is named with its answer`() async throws {
    let proxy = try FaultServer()
    proxy.route("no-such-host.invalid:443") { $0.respond(407, [:], []) }
    var configuration = DownloaderConfiguration()
    configuration.proxy = .url("http://127.0.0.1:\(proxy.port)")
    let url = try #require(URL(string: "https://no-such-host.invalid/a"))
    let failure = await Downloader(configuration: configuration).outcome(url).failure
    #expect(failure == .connectionFailed(reason: "the proxy answered with status 407"))
  }
}
