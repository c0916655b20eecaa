import Foundation
import TestSupport
import Testing

@testable import Pipeline

/// What servers do wrong, and the error each fault becomes.
struct DownloadFailureTests {
  let server: FaultServer
  let downloader = Downloader()

  init() throws { server = try FaultServer() }

  private func failure(_ path: String, _ options: TransferOptions = .init()) async -> DownloadError?
  {
    let transfer = await downloader.outcome(server.url(path), options)
    #expect(transfer.image == nil)
    return transfer.failure
  }

  @Test func `an unknown host is named`() async throws {
    let url = try #require(URL(string: "http://no-such-host.invalid/a.png"))
    #expect(await downloader.outcome(url).failure == .hostNotFound("no-such-host.invalid"))
  }

  @Test func `a port where nobody listens refuses`() async throws {
    let gone = try FaultServer()
    gone.stop()
    let failure = await downloader.outcome(gone.url("/a")).failure
    #expect(failure == .connectionFailed(reason: "nobody takes it"))
    #expect(failure?.mayHeal == true)
  }

  @Test(arguments: [400, 401, 403, 404, 410, 500, 503])
  func `B87: a refusal carries its status`(status: Int) async throws {
    server.serve("/a", Array("no".utf8), status: status)
    #expect(await failure("/a") == .refused(status: status, retryAfter: nil))
  }

  @Test func `a small refusal leaves the connection usable`() async throws {
    server.serve("/a", [1])
    _ = await failure("/missing")
    await downloader.outcome(server.url("/a"))
    #expect(server.counts.connections == 1)
  }

  @Test func `a refusal with an endless body ends at once`() async throws {
    server.route("/a") { exchange in
      exchange.sendHead(500)
      while exchange.write(pattern(4096)) {}
    }
    #expect(await failure("/a") == .refused(status: 500, retryAfter: nil))
    try await server.wait { $0.openConnections == 0 }
  }

  @Test func `a 304 that nobody asked for is a refusal`() async throws {
    server.serve("/a", [], status: 304)
    #expect(await failure("/a") == .refused(status: 304, retryAfter: nil))
  }

  @Test func `R061, B120: an empty body, with and without length`() async throws {
    server.serve("/length", [])
    server.route("/close") { $0.sendHead(200) }
    #expect(await failure("/length") == .emptyBody)
    #expect(await failure("/close") == .emptyBody)
  }

  @Test func `R059: a body shorter than promised, closed`() async throws {
    server.route("/a") { exchange in
      exchange.sendHead(200, ["Content-Length": "1000"])
      exchange.write(pattern(10))
      exchange.close()
    }
    #expect(await failure("/a") == .incomplete(received: 10, expected: 1000))
  }

  @Test func `R059: a body shorter than promised, reset`() async throws {
    let gate = Gate()
    server.route("/a") { exchange in
      exchange.sendHead(200, ["Content-Length": "1000"])
      exchange.write(pattern(10))
      if exchange.hold(until: gate) { exchange.reset() }
    }
    let transfer = TransferRecorder(downloader, server.url("/a"))
    await transfer.events(4)
    gate.open()
    await transfer.ended()
    #expect(transfer.failure == .incomplete(received: 10, expected: 1000))
  }

  @Test func `chunks without an end`() async throws {
    server.route("/a") { exchange in
      exchange.sendHead(200, ["Transfer-Encoding": "chunked"])
      exchange.writeChunk(pattern(10))
      exchange.close()
    }
    #expect(await failure("/a") == .incomplete(received: 10, expected: nil))
  }

  @Test func `B73: a connection closed without an answer`() async throws {
    server.route("/a") { $0.close() }
    let reason = "the server closed it without an answer"
    #expect(await failure("/a") == .connectionFailed(reason: reason))
  }

  @Test func `an answer that is no HTTP`() async throws {
    server.route("/a") { exchange in
      exchange.sendRaw(Array("SSH-2.0-OpenSSH_9.2\r\n\r\n".utf8))
      exchange.close()
    }
    #expect(await failure("/a") == .badResponse(reason: "it does not speak HTTP"))
  }

  @Test func `gzip that is none`() async throws {
    server.serve("/a", pattern(100), headers: ["Content-Encoding": "gzip"])
    guard case .badResponse? = await failure("/a") else {
      Issue.record("a damaged encoding was taken")
      return
    }
  }

  @Test func `R075: a part that nobody asked for`() async throws {
    server.serve(
      "/a", pattern(10), status: 206, headers: ["Content-Range": "bytes 0-9/100"])
    guard case .badResponse? = await failure("/a") else {
      Issue.record("a 206 was taken")
      return
    }
  }

  @Test func `a header flood stops at the limit`() async throws {
    server.route("/a") { exchange in
      exchange.sendRaw(Array("HTTP/1.1 200 OK\r\n".utf8))
      while exchange.sendRaw(Array("X-Flood: \(String(repeating: "x", count: 900))\r\n".utf8)) {}
    }
    #expect(await failure("/a") == .badResponse(reason: "its header fields are too long"))
  }

  @Test func `B84: a promise of too many bytes ends before them`() async throws {
    server.route("/a") { exchange in
      exchange.sendHead(200, ["Content-Length": "999999999999"])
      exchange.holdUntilClosed()
    }
    #expect(await failure("/a") == .tooLarge(limit: 64 << 20))
  }

  @Test func `R068: an endless body stops at the limit`() async throws {
    server.route("/a") { exchange in
      exchange.sendHead(200)
      while exchange.write(pattern(4096)) {}
    }
    var options = TransferOptions()
    options.maximumBodySize = 100_000
    #expect(await failure("/a", options) == .tooLarge(limit: 100_000))
    try await server.wait { $0.abandoned("/a") == 1 }
  }

  @Test func `a length no server can mean`() async throws {
    for length in ["-5", "99999999999999999999999", "ten"] {
      server.route("/a") { exchange in
        exchange.sendRaw(Array("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nabc".utf8))
        exchange.close()
      }
      let transfer = await downloader.outcome(server.url("/a"))
      #expect(transfer.end != nil)
      #expect(transfer.body == nil || transfer.body == Array("abc".utf8))
    }
  }

  // MARK: Time

  private func impatient() -> TransferOptions {
    var options = TransferOptions()
    options.idleTimeout = .milliseconds(100)
    return options
  }

  @Test func `R068: silence before the answer`() async throws {
    server.route("/a") { $0.holdUntilClosed() }
    #expect(await failure("/a", impatient()) == .timedOut(.idle))
    try await server.wait { $0.openConnections == 0 }
  }

  @Test func `R068: silence in the body`() async throws {
    server.route("/a") { exchange in
      exchange.sendHead(200, ["Content-Length": "100"])
      exchange.write(pattern(10))
      exchange.holdUntilClosed()
    }
    #expect(await failure("/a", impatient()) == .timedOut(.idle))
  }

  @Test func `R068: header bytes that drip`() async throws {
    server.route("/a") { exchange in
      exchange.sendRaw(Array("HTTP/1.1 200 OK\r\nX: ".utf8))
      while exchange.sendRaw([120]), exchange.pause(milliseconds: 10) {}
    }
    #expect(await failure("/a", impatient()) == .timedOut(.idle))
  }

  @Test func `B8: a body that drips is no silence, but has a deadline`() async throws {
    server.route("/a") { exchange in
      exchange.sendHead(200)
      while exchange.write([120]), exchange.pause(milliseconds: 10) {}
    }
    var options = TransferOptions()
    options.idleTimeout = .milliseconds(200)
    options.deadline = .milliseconds(600)
    #expect(await failure("/a", options) == .timedOut(.deadline))
  }

  @Test func `a connection that never stands`() async throws {
    // TLS is part of the connection, and this server does not answer its greeting.
    let silent = try FaultServer()
    let url = try #require(URL(string: "https://127.0.0.1:\(silent.port)/a"))
    var options = TransferOptions()
    options.connectTimeout = .milliseconds(100)
    #expect(await downloader.outcome(url, options).failure == .timedOut(.connect))
  }

  @Test func `B6, B7: idle for 15 s unless told otherwise, also when told zero`() {
    var options = TransferOptions()
    #expect(options.idleTimeout == .seconds(15))
    options.idleTimeout = .zero
    #expect(options.effectiveIdleTimeout == .seconds(15))
  }

  @Test func `R023: time in the queue does not count`() async throws {
    var configuration = DownloaderConfiguration()
    configuration.maximumConcurrentTransfers = 2
    let downloader = Downloader(configuration: configuration)
    server.route("/a") { exchange in
      if exchange.pause(milliseconds: 40) { exchange.respond(200, [:], [1]) }
    }
    var options = TransferOptions()
    options.idleTimeout = .milliseconds(250)
    options.deadline = .milliseconds(400)
    let all = (0..<30).map { _ in TransferRecorder(downloader, server.url("/a"), options) }
    for transfer in all { await transfer.ended() }
    #expect(all.allSatisfy { $0.body == [1] })
  }
}
