import Foundation
import TestSupport
import Testing

@testable import Pipeline

/// Broken transfers go on where they ended, when it is sure that the rest fits.
struct ResumeTests {
  let server: FaultServer
  let downloader = Downloader()
  let bytes = pattern(1000)

  init() throws { server = try FaultServer() }

  private let validated = ["ETag": "\"v1\"", "Content-Length": "1000"]

  /// The first answer breaks off after 400 bytes; the later ones are `rest`.
  private func breakFirst(
    _ headers: [String: String]? = nil, then rest: @escaping FaultServer.Handler
  ) {
    let (bytes, headers) = (bytes, headers ?? validated)
    let isFirst = Gate()
    server.route("/a") { exchange in
      guard isFirst.isOpen else {
        isFirst.open()
        exchange.sendHead(200, headers)
        exchange.write(Array(bytes[..<400]))
        return exchange.close()
      }
      rest(exchange)
    }
  }

  private func answerRest(_ exchange: Exchange, range: String = "bytes 400-999/1000") {
    exchange.sendHead(
      206, ["ETag": "\"v1\"", "Content-Length": "600", "Content-Range": range])
    exchange.write(Array(bytes[400...]))
  }

  /// Loads twice: the first is cut, the second is returned.
  private func second(_ options: TransferOptions = .init()) async -> TransferRecorder {
    let first = await downloader.outcome(server.url("/a"), options)
    #expect(first.failure == .incomplete(received: 400, expected: 1000))
    return await downloader.outcome(server.url("/a"), options)
  }

  private var fields: [String: String] { server.counts.requests[1].headers }

  @Test func `the rest is asked for and joined, byte for byte`() async throws {
    breakFirst { answerRest($0) }
    let transfer = await second()
    #expect(transfer.body == bytes)
    #expect(fields["range"] == "bytes=400-")
    #expect(fields["if-range"] == "\"v1\"")
    #expect(transfer.image?.metrics?.resumedByteCount == 400)
    #expect(transfer.progress.last == LoadProgress(received: 1000, expected: 1000))
  }

  @Test func `R073: a server that ignores Range sends all, and all is taken`() async throws {
    breakFirst { $0.respond(200, validated, bytes) }
    #expect(await second().body == bytes)
    #expect(fields["range"] == "bytes=400-")
  }

  @Test func `R075: changed in between, the new picture comes`() async throws {
    let new = pattern(1500).map { ~$0 }
    breakFirst { $0.respond(200, ["ETag": "\"v2\""], new) }
    #expect(await second().body == new)
  }

  @Test func `R071: a range that is refused starts over without it`() async throws {
    breakFirst { exchange in
      if exchange.request.headers["range"] != nil {
        exchange.respond(416, ["Content-Range": "bytes */300"], [])
      } else {
        exchange.respond(200, validated, bytes)
      }
    }
    #expect(await second().body == bytes)
    #expect(server.counts.hits("/a") == 3)
    #expect(server.counts.requests[2].headers["range"] == nil)
  }

  @Test(arguments: [
    "bytes 0-599/1000", "bytes 401-999/1000", "bytes 400-999/2000", "bytes 400-998/1000", "400",
    "bytes 999-400/1000", "items 400-999/1000",
  ])
  func `a wrong Content-Range starts over`(range: String) async throws {
    breakFirst { exchange in
      if exchange.request.headers["range"] != nil {
        answerRest(exchange, range: range)
      } else {
        exchange.respond(200, validated, bytes)
      }
    }
    #expect(await second().body == bytes)
  }

  @Test func `a part with another tag starts over`() async throws {
    breakFirst { exchange in
      if exchange.request.headers["range"] != nil {
        exchange.respond(
          206, ["ETag": "\"v2\"", "Content-Range": "bytes 400-999/1000"], Array(bytes[400...]))
      } else {
        exchange.respond(200, validated, bytes)
      }
    }
    #expect(await second().body == bytes)
  }

  @Test(arguments: [
    [:], ["ETag": "W/\"v1\""],
    [
      "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
      "Date": "Sun, 06 Nov 1994 08:50:00 GMT",
    ],
  ])
  func `without a strong validator nothing is kept`(headers: [String: String]) async throws {
    breakFirst(headers.merging(["Content-Length": "1000"]) { $1 }) { $0.respond(200, [:], bytes) }
    #expect(await second().body == bytes)
    #expect(fields["range"] == nil)
  }

  @Test func `a date that is old enough is a validator`() async throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    breakFirst([
      "Last-Modified": date, "Date": "Sun, 06 Nov 1994 09:00:00 GMT", "Content-Length": "1000",
    ]) { answerRest($0) }
    #expect(await second().body == bytes)
    #expect(fields["if-range"] == date)
  }

  @Test func `a cancelled load leaves its bytes for the next`() async throws {
    let (bytes, validated) = (bytes, validated)
    server.route("/a") { exchange in
      if exchange.request.headers["range"] != nil { return answerRest(exchange) }
      exchange.sendHead(200, validated)
      exchange.write(Array(bytes[..<400]))
      exchange.holdUntilClosed()
    }
    let first = TransferRecorder(downloader, server.url("/a"))
    await first.received { $0 == 400 }
    first.cancel()
    try await server.wait { $0.abandoned("/a") == 1 }
    #expect(await downloader.outcome(server.url("/a")).body == bytes)
  }

  @Test func `others' bytes are not used: another login starts over`() async throws {
    breakFirst { $0.respond(200, validated, bytes) }
    var options = TransferOptions()
    options.headers = [HeaderField(name: "Authorization", value: "Bearer a")]
    await downloader.outcome(server.url("/a"), options)
    options.headers = [HeaderField(name: "Authorization", value: "Bearer b")]
    #expect(await downloader.outcome(server.url("/a"), options).body == bytes)
    #expect(fields["range"] == nil)
  }

  @Test func `switched off, nothing is kept`() async throws {
    breakFirst { $0.respond(200, validated, bytes) }
    var options = TransferOptions()
    options.resumes = false
    #expect(await second(options).body == bytes)
    #expect(fields["range"] == nil)
  }

  @Test func `the store is bounded and drops the oldest`() throws {
    var head = ResponseHead(limit: 1000)
    for line in ["HTTP/1.1 200 OK\r\n", "ETag: \"a\"\r\n", "\r\n"] {
      _ = Array(line.utf8).withUnsafeBytes { head.take($0) }
    }
    let body = try #require(
      PartialBody(bytes: ImageBytes(pattern(40)), head: head, total: 50, revision: 1))
    var store = PartialStore(capacity: 100)
    for key in ["a", "b", "c"] { store.insert(body, for: key) }
    #expect(store.byteCount == 80)
    #expect(store.remove("a") == nil)
    #expect(store.remove("c") != nil)
    store.insert(body, for: "b")
    #expect(store.byteCount == 40)
    var small = PartialStore(capacity: 39)
    small.insert(body, for: "a")
    #expect(small.byteCount == 0)
  }
}
