import Dispatch
import Pipeline
import Synchronization
import TestSupport
import Testing

@testable import PipelineRedis

@Suite(.timeLimit(.minutes(1))) struct HostLookupTests {
  @Test(arguments: ["127.0.0.1", "::1"]) func `an address needs no look-up`(host: String) throws {
    let lookup = HostLookup(of: host) { _ in
      .failure(RedisFailure(reason: "a look-up was made"))
    }
    #expect(try lookup.addresses(by: .now) == [host])
  }

  @Test func `the system is asked for a name`() throws {
    let found = try HostLookup(of: "localhost").addresses(by: .now + .seconds(30))
    #expect(found.contains("127.0.0.1") || found.contains("::1"))
    #expect(throws: RedisFailure.self) {
      try HostLookup(of: "no host has blanks").addresses(by: .now + .seconds(30))
    }
  }

  @Test(.enabled(if: RedisServer.isAvailable))
  func `a name server that is silent costs the timeout of each call, and one thread`() throws {
    let server = try RedisServer()
    let looks = Mutex(0)
    let answer = DispatchSemaphore(value: 0)
    var configuration = RedisConfiguration()
    configuration.port = Int(server.port)
    configuration.timeout = .milliseconds(20)
    configuration.pauseAfterFailure = .zero
    let lookup = HostLookup(of: "redis.example") { _ in
      looks.withLock { $0 += 1 }
      answer.wait()
      return .success(["127.0.0.1"])
    }
    let tier = RedisTier(configuration, lookup: lookup)
    for _ in 0..<5 { #expect(tier.entry(for: "a", variant: "") == nil) }
    #expect(tier.statistics.failures == 5)
    #expect(
      tier.statistics.lastFailure == "the address of redis.example was not found in time")
    #expect(looks.withLock { $0 } == 1)
    for _ in 0..<100 { answer.signal() }
    configuration.timeout = .seconds(5)
    let patient = RedisTier(configuration, lookup: lookup)
    patient.store(ImageBytes([1]), response: nil, for: "a", variant: "")
    #expect(patient.entry(for: "a", variant: "")?.bytes == ImageBytes([1]))
  }

  @Test(.enabled(if: RedisServer.isAvailable))
  func `an address that does not answer leaves time for the next`() throws {
    let server = try RedisServer()
    var configuration = RedisConfiguration()
    configuration.port = Int(server.port)
    configuration.timeout = .seconds(10)
    // The first is closed, the second the server's.
    let lookup = HostLookup(of: "redis.example") { _ in .success(["127.0.0.99", "127.0.0.1"]) }
    let tier = RedisTier(configuration, lookup: lookup)
    tier.store(ImageBytes([1]), response: nil, for: "a", variant: "")
    #expect(tier.entry(for: "a", variant: "")?.bytes == ImageBytes([1]))
  }
}
