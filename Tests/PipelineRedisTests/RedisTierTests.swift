import Foundation
import Pipeline
import TestSupport
import Testing

@testable import PipelineRedis

/// The tier alone, against a real server.
@Suite(.enabled(if: RedisServer.isAvailable), .timeLimit(.minutes(1)))
struct RedisTierTests {
  private let server: RedisServer
  private let tier: RedisTier

  init() throws {
    server = try RedisServer()
    tier = Self.tier(server)
  }

  private static func tier(
    _ server: RedisServer, _ change: (inout RedisConfiguration) -> Void = { _ in }
  ) -> RedisTier {
    var configuration = RedisConfiguration()
    configuration.port = Int(server.port)
    // A busy machine is no broken server.
    configuration.timeout = .seconds(5)
    change(&configuration)
    return RedisTier(configuration)
  }

  private func connection() throws -> RedisConnection {
    try RedisConnection(
      to: tier.configuration, found: HostLookup(of: "127.0.0.1"), by: .now + .seconds(5))
  }

  private let bytes = ImageBytes((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

  @Test(arguments: [
    "http://a/b.png?x=1", "", "a\0b", "ключ/🙂 *?[", String(repeating: "k", count: 10_240),
  ])
  func `what one stores another finds, with its response`(key: String) throws {
    let response = StoredResponse(
      response: ImageResponse(
        url: try #require(URL(string: "http://a/b.png")), status: 200,
        headers: [HeaderField(name: "ETag", value: "\"é\"")], protocolName: "HTTP/2"),
      requestHeaders: [], requestTime: 3, responseTime: 4)
    tier.store(bytes, response: response, for: key, variant: "")
    let found = Self.tier(server).entry(for: key, variant: "")
    #expect(found?.bytes == bytes && found?.stored == response)
    #expect(tier.entry(for: key + "x", variant: "") == nil)
    #expect(tier.entry(for: key, variant: "v") == nil)
  }

  @Test func `removing a key removes its variants and no other`() {
    tier.store(bytes, response: nil, for: "a", variant: "")
    tier.store(bytes, response: nil, for: "a", variant: "small")
    tier.store(bytes, response: nil, for: "b", variant: "")
    tier.remove("a")
    #expect(
      tier.entry(for: "a", variant: "") == nil && tier.entry(for: "a", variant: "small") == nil)
    #expect(tier.entry(for: "b", variant: "") != nil)
  }

  @Test func `removing variants leaves their original`() {
    for variant in ["", "small", "large"] {
      tier.store(bytes, response: nil, for: "a", variant: variant)
    }
    tier.removeVariants(of: "a")
    #expect(tier.entry(for: "a", variant: "")?.bytes == bytes)
    #expect(
      tier.entry(for: "a", variant: "small") == nil && tier.entry(for: "a", variant: "large") == nil
    )
  }

  @Test func `removing all leaves what other prefixes name`() throws {
    let other = Self.tier(server) { $0.prefix = "fl*w:" }
    for key in 0..<50 { tier.store(bytes, response: nil, for: "\(key)", variant: "") }
    other.store(bytes, response: nil, for: "1", variant: "")
    try other.removeAll()
    #expect(other.entry(for: "1", variant: "") == nil && tier.entry(for: "1", variant: "") != nil)
    try tier.removeAll()
    #expect((0..<50).allSatisfy { tier.entry(for: "\($0)", variant: "") == nil })
  }

  @Test func `a damaged entry is a miss and removed, and so is one of another key`() throws {
    let connection = try connection()
    for damage in ["noise", "", String(repeating: "x", count: 5000)] {
      tier.store(bytes, response: nil, for: "a", variant: "")
      let name = "flow:entry:" + PortableEntry.name(of: "a")
      _ = try connection.send(["HSET", name, "", damage], by: .now + .seconds(5))
      #expect(tier.entry(for: "a", variant: "") == nil)
      #expect(try connection.send(["HEXISTS", name, ""], by: .now + .seconds(5)) == .number(0))
    }
    #expect(tier.statistics.damaged == 3)
  }

  @Test func `a claim is one process's until it is released or expires`() async throws {
    let other = Self.tier(server)
    var claim: FetchTurn? = tier.fetchTurn(for: "a")
    guard case .mine = claim, case .taken = other.fetchTurn(for: "a"),
      case .mine = other.fetchTurn(for: "b")
    else {
      Issue.record("the claim was not respected")
      return
    }
    claim = nil
    while case .taken = other.fetchTurn(for: "a") { await Task.yield() }
    let short = Self.tier(server) { $0.claimLifetime = .milliseconds(50) }
    let expiring = short.fetchTurn(for: "c")
    while case .taken = other.fetchTurn(for: "c") { await Task.yield() }
    withExtendedLifetime(expiring) {}
    withExtendedLifetime(claim) {}
  }

  @Test func `a lost server is a miss, is left alone for a while, and is found again`() throws {
    let tier = Self.tier(server) { $0.pauseAfterFailure = .seconds(3600) }
    let eager = Self.tier(server) { $0.pauseAfterFailure = .zero }
    for tier in [tier, eager] { tier.store(bytes, response: nil, for: "a", variant: "") }
    server.kill()
    for tier in [tier, eager] {
      #expect(tier.entry(for: "a", variant: "") == nil)
      tier.store(bytes, response: nil, for: "a", variant: "")
      tier.remove("a")
      guard case .free = tier.fetchTurn(for: "a") else {
        Issue.record("a claim without a server")
        return
      }
      #expect(throws: CacheError.self) { try tier.removeAll() }
    }
    #expect(tier.statistics.failures == 1 && tier.statistics.skipped == 4)
    #expect(eager.statistics.failures == 5 && eager.statistics.lastFailure != nil)
    try server.restart()
    eager.store(bytes, response: nil, for: "a", variant: "")
    #expect(eager.entry(for: "a", variant: "")?.bytes == bytes)
  }

  @Test func `a server that does not answer costs its timeout and no more`() {
    let tier = Self.tier(server) { $0.timeout = .milliseconds(100) }
    server.halt()
    let start = ContinuousClock.now
    #expect(tier.entry(for: "a", variant: "") == nil)
    #expect(start.duration(to: .now) >= .milliseconds(50))
    #expect(tier.entry(for: "a", variant: "") == nil)
    #expect(tier.statistics.failures == 1 && tier.statistics.skipped == 1)
    server.goOn()
  }

  @Test func `entries larger than allowed are not stored, and age out`() throws {
    let tier = Self.tier(server) {
      $0.maximumEntrySize = 1000
      $0.lifetime = .milliseconds(20)
    }
    tier.store(bytes, response: nil, for: "a", variant: "")
    #expect(tier.entry(for: "a", variant: "") == nil)
    tier.store(ImageBytes([1]), response: nil, for: "b", variant: "")
    while tier.entry(for: "b", variant: "") != nil {}
  }

  @Test func `times without end are those of a century`() {
    let tier = Self.tier(server) {
      $0.lifetime = .seconds(Int64.max)
      $0.claimLifetime = .seconds(Int64.max)
      $0.timeout = .seconds(Int64.max)
      $0.pauseAfterFailure = .seconds(Int64.max)
    }
    tier.store(bytes, response: nil, for: "a", variant: "")
    #expect(tier.entry(for: "a", variant: "")?.bytes == bytes)
    guard case .mine = tier.fetchTurn(for: "a") else {
      Issue.record("no claim")
      return
    }
    #expect(Duration.zero.milliseconds == 1 && Duration.seconds(Int64.min).milliseconds == 1)
  }

  @Test func `a password and a database of its own are asked for`() throws {
    let connection = try connection()
    _ = try connection.send(["CONFIG", "SET", "requirepass", "secret"], by: .now + .seconds(5))
    let stranger = Self.tier(server)
    #expect(stranger.entry(for: "a", variant: "") == nil && stranger.statistics.failures == 1)
    let known = Self.tier(server) {
      $0.password = "secret"
      $0.database = 3
    }
    known.store(bytes, response: nil, for: "a", variant: "")
    #expect(known.entry(for: "a", variant: "")?.bytes == bytes)
  }

  @Test func `many threads share a tier`() {
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for key in 0..<30 {
        let bytes = ImageBytes([UInt8](repeating: UInt8(thread), count: 500))
        tier.store(bytes, response: nil, for: "\(thread) \(key)", variant: "")
        #expect(tier.entry(for: "\(thread) \(key)", variant: "")?.bytes == bytes)
      }
    }
  }
}
