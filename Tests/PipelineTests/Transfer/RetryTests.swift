import Flow
import FlowTesting
import Foundation
import TestSupport
import Testing

@testable import Pipeline

struct RetryTests {
  let server: FaultServer

  init() throws { server = try FaultServer() }

  private func options(_ retry: TransferRetry) -> TransferOptions {
    var options = TransferOptions()
    options.retry = retry
    return options
  }

  private let quick = TransferRetry(count: 3, firstDelay: .milliseconds(1))

  /// Fails `count` times by `fault`, then answers.
  private func fail(_ count: Int, _ fault: @escaping FaultServer.Handler) {
    let server = server
    server.route("/a") { [weak server] exchange in
      guard let server, server.counts.hits("/a") > count else { return fault(exchange) }
      exchange.respond(200, ["ETag": "\"1\""], pattern(1000))
    }
  }

  // MARK: The policy alone

  @Test func `waits double up to the longest`() {
    let policy = TransferRetry(
      count: 5, firstDelay: .seconds(1), maximumDelay: .seconds(5), jitter: 0)
    let waits = (0...5).map { policy.delay(after: .timedOut(.idle), attempt: $0, chance: 0.7) }
    #expect(
      waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5), nil])
  }

  @Test func `chance shortens a wait by its part and no more`() {
    let policy = TransferRetry(count: 1, firstDelay: .seconds(8), jitter: 0.25)
    #expect(policy.delay(after: .timedOut(.idle), attempt: 0, chance: 0) == .seconds(8))
    #expect(policy.delay(after: .timedOut(.idle), attempt: 0, chance: 1) == .seconds(6))
  }

  @Test(arguments: [
    TransferRetry(count: .max, firstDelay: .seconds(Int64.max), maximumDelay: .seconds(5)),
    TransferRetry(count: .max, firstDelay: .seconds(Int64.min), maximumDelay: .seconds(5)),
    TransferRetry(count: .max, firstDelay: .seconds(1), maximumDelay: .seconds(5), jitter: .nan),
    TransferRetry(
      count: .max, firstDelay: .seconds(1), maximumDelay: .seconds(5), jitter: .infinity),
  ])
  func `odd policies wait no longer than the longest, and never end the program`(
    policy: TransferRetry
  ) {
    for attempt in [0, 1, 29, 30, 1_000_000] {
      let wait = policy.delay(after: .timedOut(.idle), attempt: attempt, chance: 0.5)
      #expect(wait.map { $0 >= .zero && $0 <= .seconds(5) } == true)
    }
    #expect(Duration.seconds(Int64.min).wholeMilliseconds == .min)
    #expect(Duration.seconds(Int64.max).wholeMilliseconds == .max)
  }

  @Test func `a server's wish makes the wait longer, or ends the matter`() {
    let policy = TransferRetry(
      count: 3, firstDelay: .seconds(2), maximumDelay: .seconds(10), jitter: 0)
    func wait(_ asked: Int) -> Duration? {
      policy.delay(
        after: .refused(status: 503, retryAfter: .seconds(asked)), attempt: 0, chance: 0)
    }
    #expect(wait(1) == .seconds(2))
    #expect(wait(7) == .seconds(7))
    #expect(wait(11) == nil)
  }

  @Test(arguments: [
    (DownloadError.hostNotFound("h"), true), (.connectionFailed(reason: ""), true),
    (.timedOut(.deadline), true), (.incomplete(received: 1, expected: 2), true),
    (.refused(status: 503, retryAfter: nil), true),
    (.refused(status: 429, retryAfter: nil), true),
    (.refused(status: 404, retryAfter: nil), false),
    (.refused(status: 401, retryAfter: nil), false), (.emptyBody, false),
    (.tooLarge(limit: 1), false), (.insecure(reason: ""), false), (.cancelled, false),
    (.shutDown, false), (.fileNotFound, false),
  ])
  func `only what can heal is tried again`(failure: DownloadError, heals: Bool) {
    let wait = TransferRetry(count: 1).delay(after: failure, attempt: 0, chance: 0)
    #expect((wait != nil) == heals)
  }

  // MARK: With a server

  @Test func `R024: nothing is tried again unless asked, and a new load asks anew`() async throws {
    fail(1) { $0.close() }
    let downloader = Downloader()
    #expect(await downloader.outcome(server.url("/a")).failure != nil)
    #expect(server.counts.hits("/a") == 1)
    #expect(await downloader.outcome(server.url("/a")).body == pattern(1000))
  }

  @Test func `a transfer that fails twice comes at the third attempt`() async throws {
    fail(2) { $0.respond(503) }
    let transfer = await Downloader().outcome(server.url("/a"), options(quick))
    #expect(transfer.body == pattern(1000))
    #expect(transfer.image?.metrics?.retryCount == 2)
    #expect(server.counts.hits("/a") == 3)
  }

  @Test func `attempts are counted, and the last failure is told`() async throws {
    fail(100) { $0.respond(500) }
    let transfer = await Downloader().outcome(server.url("/a"), options(quick))
    #expect(transfer.failure == .refused(status: 500, retryAfter: nil))
    #expect(server.counts.hits("/a") == 4)
  }

  @Test func `a 404 is final`() async throws {
    fail(100) { $0.respond(404) }
    await Downloader().outcome(server.url("/a"), options(quick))
    #expect(server.counts.hits("/a") == 1)
  }

  @Test func `progress never goes back over attempts, and revisions tell them apart`() async throws
  {
    let gate = Gate()
    fail(1) { exchange in
      exchange.sendHead(200, ["Content-Length": "1000"])
      exchange.write(Array(pattern(1000)[..<600]))
      if exchange.hold(until: gate) { exchange.close() }
    }
    let transfer = TransferRecorder(Downloader(), server.url("/a"), options(quick))
    await transfer.received { $0 == 600 }
    gate.open()
    await transfer.ended()
    #expect(transfer.body == pattern(1000))
    let progress = transfer.progress.map(\.received)
    #expect(progress == progress.sorted())
    var seen: [UInt64: Int] = [:]
    for case .bytes(let image) in transfer.events {
      #expect(image.bytes.count >= seen[image.revision, default: 0])
      seen[image.revision] = image.bytes.count
    }
    #expect(seen.count == 2)
  }

  @Test func `a retry goes on from the bytes at hand`() async throws {
    let bytes = pattern(1000)
    server.route("/a") { exchange in
      if exchange.request.headers["range"] == "bytes=600-" {
        return exchange.respond(
          206, ["ETag": "\"1\"", "Content-Range": "bytes 600-999/1000"], Array(bytes[600...]))
      }
      exchange.sendHead(200, ["Content-Length": "1000", "ETag": "\"1\""])
      exchange.write(Array(bytes[..<600]))
      exchange.close()
    }
    let transfer = await Downloader().outcome(server.url("/a"), options(quick))
    #expect(transfer.body == bytes)
    #expect(
      Set(transfer.events.compactMap { if case .bytes(let i) = $0 { i.revision } else { nil } })
        .count == 1)
  }

  @Test func `waits are kept on the scheduler given`() async throws {
    let scheduler = VirtualScheduler()
    let downloader = Downloader(
      configuration: DownloaderConfiguration(), retryScheduler: scheduler)
    fail(1) { $0.respond(503) }
    let retry = TransferRetry(count: 1, firstDelay: .seconds(20), jitter: 0)
    let transfer = TransferRecorder(downloader, server.url("/a"), options(retry))
    try await server.wait { $0.hits("/a") == 1 && $0.active == 0 }
    while scheduler.isIdle { await Task.yield() }
    scheduler.advance(by: .seconds(19))
    #expect(server.counts.hits("/a") == 1)
    scheduler.advance(by: .seconds(1))
    #expect(await transfer.ended().body == pattern(1000))
  }

  @Test func `cancelled while it waits, it is not tried again`() async throws {
    let scheduler = VirtualScheduler()
    let downloader = Downloader(
      configuration: DownloaderConfiguration(), retryScheduler: scheduler)
    fail(1) { $0.respond(503) }
    let transfer = TransferRecorder(
      downloader, server.url("/a"), options(TransferRetry(count: 1)))
    try await server.wait { $0.hits("/a") == 1 && $0.active == 0 }
    while scheduler.isIdle { await Task.yield() }
    transfer.cancel()
    scheduler.advance(by: .seconds(60))
    await downloader.shutDown(grace: .seconds(1))
    #expect(server.counts.hits("/a") == 1)
    #expect(transfer.end == nil)
  }

  @Test func `a host that asks for a pause gets one, other hosts do not wait`() async throws {
    server.serve("/busy", [], status: 429, headers: ["Retry-After": "1"])
    server.serve("/b", [2])
    let other = try FaultServer()
    other.serve("/c", [3])
    let downloader = Downloader()
    let start = ContinuousClock.now
    let refused = await downloader.outcome(server.url("/busy"))
    #expect(refused.failure == .refused(status: 429, retryAfter: .seconds(1)))
    let waiting = TransferRecorder(downloader, server.url("/b"))
    #expect(await downloader.outcome(other.url("/c")).body == [3])
    #expect(await waiting.ended().body == [2])
    #expect(ContinuousClock.now - start > .milliseconds(900))
  }

  // MARK: Fields

  @Test(arguments: [
    ("120", 120), ("0", 0), ("-1", nil), ("soon", nil), ("9999999", 86_400),
    ("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("Sunday, 06-Nov-94 08:49:37 GMT", 37),
    ("Sun Nov  6 08:49:37 1994", 37), ("Sun, 06 Nov 1993 08:49:37 GMT", 0),
    ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 25:49:37 GMT", nil),
  ])
  func `Retry-After is seconds or a date`(field: String, seconds: Int?) {
    // 784111777 is the date of RFC 9110's own example.
    #expect(RetryAfter.parse(field, now: 784_111_740) == seconds.map { .seconds($0) })
  }

  @Test func `dates around leap days`() {
    #expect(HTTPDate.parse("Thu, 01 Jan 1970 00:00:00 GMT") == 0)
    #expect(HTTPDate.parse("Tue, 29 Feb 2000 12:00:00 GMT") == 951_825_600)
    #expect(HTTPDate.parse("Fri, 01 Mar 2024 00:00:00 GMT") == 1_709_251_200)
  }
}
