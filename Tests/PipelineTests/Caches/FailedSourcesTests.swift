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

  @Test func `what is gone or no picture is remembered, what can heal is not`() {
    let failed = FailedSources()
    let forGood = [refused(404), refused(410), .decode(.unknownFormat, source: "a")]
    #expect(forGood.allSatisfy { failed.note($0, for: "a") })
    let passing: [LoadError] = [
      refused(500), refused(503), refused(429), refused(403),
      .download(.hostNotFound("h"), source: "a"), .download(.timedOut(.idle), source: "a"),
      .download(.connectionFailed(reason: "r"), source: "a"), .decode(.cancelled, source: "a"),
      .cacheLookup(.notCached, source: "a"),
    ]
    #expect(passing.allSatisfy { !failed.note($0, for: "b") })
    #expect(failed.failure(for: "b") == nil)
  }

  @Test func `a failure is forgotten after the time of its kind`() {
    let clock = Clock()
    let failed = FailedSources(now: { clock.now })
    failed.note(refused(404), for: "missing")
    failed.note(refused(410), for: "gone")
    clock.advance(.seconds(599))
    #expect(failed.failure(for: "missing") == refused(404))
    clock.advance(.seconds(1))
    #expect(failed.failure(for: "missing") == nil)
    #expect(failed.all.map(\.key) == ["gone"])
    clock.advance(.seconds(3000))
    #expect(failed.all.isEmpty)
  }

  @Test func `forgetting makes a source be asked again`() {
    let failed = FailedSources()
    failed.note(refused(404), for: "a")
    failed.note(refused(404), for: "b")
    failed.forget("a")
    #expect(failed.failure(for: "a") == nil && failed.failure(for: "b") != nil)
    failed.forgetAll()
    #expect(failed.failure(for: "b") == nil)
  }

  @Test func `a million failures keep to the limit`() {
    let failed = FailedSources(limit: 3)
    for key in 0..<1000 { failed.note(refused(404), for: "\(key)") }
    #expect(failed.all.map(\.key) == ["999", "998", "997"])
  }

  @Test func `a time of zero remembers none of a kind`() {
    var lifetimes = FailedSources.Lifetimes()
    lifetimes.missing = .zero
    let failed = FailedSources(lifetimes: lifetimes)
    #expect(!failed.note(refused(404), for: "a") && failed.note(refused(410), for: "a"))
  }
}
