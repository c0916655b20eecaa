import Foundation
import Pipeline
import Synchronization
import Testing

struct FailedSourcesTests {
  private final class Clock: Sendable {
    let time = Mutex(ContinuousClock.now)
    var now: ContinuousClock.Instant { time.withLock { $0 } }
    func advance(_ duration: Duration) { time.withLock { $0 += duration } }
  }

  private func refused(_ status: Int) -> LoadError {
    .download(.refused(status: status, retryAfter: nil), source: "a")
  }

  private func request(_ name: String) throws -> ImageRequest {
    ImageRequest(try #require(URL(string: "http://a/\(name)")))
  }

  @Test func `what is gone or no picture is remembered, what can heal is not`() throws {
    let failed = FailedSources()
    let (a, b) = (try request("a"), try request("b"))
    let forGood = [refused(404), refused(410), .decode(.unknownFormat, source: "a")]
    #expect(forGood.allSatisfy { failed.note($0, for: a) })
    let passing: [LoadError] = [
      refused(500), refused(503), refused(429), refused(403),
      .download(.hostNotFound("h"), source: "a"), .download(.timedOut(.idle), source: "a"),
      .download(.connectionFailed(reason: "r"), source: "a"), .decode(.cancelled, source: "a"),
      .cacheLookup(.notCached, source: "a"),
    ]
    #expect(passing.allSatisfy { !failed.note($0, for: b) })
    #expect(failed.failure(for: b) == nil)
  }

  @Test func `a failure is forgotten after the time of its kind`() throws {
    let clock = Clock()
    let failed = FailedSources(now: { clock.now })
    let missing = try request("missing")
    failed.note(refused(404), for: missing)
    failed.note(refused(410), for: try request("gone"))
    clock.advance(.seconds(599))
    #expect(failed.failure(for: missing) == refused(404))
    clock.advance(.seconds(1))
    #expect(failed.failure(for: missing) == nil)
    #expect(failed.all.map(\.key) == ["http://a/gone"])
    clock.advance(.seconds(3000))
    #expect(failed.all.isEmpty)
  }

  @Test func `a source that fails twice is kept once, and forgetting makes it be asked again`()
    throws
  {
    let failed = FailedSources()
    let (a, b) = (try request("a"), try request("b"))
    failed.note(refused(404), for: a)
    failed.note(refused(404), for: a)
    failed.note(refused(404), for: b)
    #expect(failed.all.count == 2)
    failed.forget(a)
    #expect(failed.failure(for: a) == nil && failed.failure(for: b) != nil)
    failed.forgetAll()
    #expect(failed.failure(for: b) == nil)
  }

  @Test func `what was no picture to one decode may be one to another`() throws {
    let failed = FailedSources()
    let plain = try request("a")
    var larger = plain
    larger.decoding.limits.pixels *= 2
    failed.note(.decode(.unknownFormat, source: "a"), for: plain)
    #expect(failed.failure(for: plain) != nil && failed.failure(for: larger) == nil)
    failed.forget(larger)
    #expect(failed.failure(for: plain) == nil)
  }

  @Test func `files, data and bytes at hand are never remembered`() throws {
    let failed = FailedSources()
    let local = [
      ImageRequest(URL(fileURLWithPath: "/a.png")),
      ImageRequest(try #require(URL(string: "data:,x"))),
      ImageRequest(.bytes(ImageBytes([1]), key: "k")),
    ]
    #expect(local.allSatisfy { !failed.note(.decode(.unknownFormat, source: "a"), for: $0) })
  }

  @Test func `many failures keep to the limit`() throws {
    let failed = FailedSources(limit: 3)
    for key in 0..<1000 { failed.note(refused(404), for: try request("\(key)")) }
    #expect(failed.all.map(\.key) == ["http://a/999", "http://a/998", "http://a/997"])
  }

  @Test func `a time of zero remembers none of a kind`() throws {
    var lifetimes = FailedSources.Lifetimes()
    lifetimes.missing = .zero
    let failed = FailedSources(lifetimes: lifetimes)
    let a = try request("a")
    #expect(!failed.note(refused(404), for: a) && failed.note(refused(410), for: a))
  }

  @Test func `B158: failures may be noted and asked for from any thread`() throws {
    let failed = FailedSources(limit: 50)
    let requests = try (0..<100).map { try request("\($0)") }
    let error = refused(404)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for request in requests {
        failed.note(error, for: request)
        _ = failed.failure(for: request)
        failed.forget(request)
      }
    }
    #expect(failed.all.isEmpty)
  }
}
