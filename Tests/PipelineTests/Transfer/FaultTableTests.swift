import Foundation
import TestSupport
import Testing

@testable import Pipeline

/// Every fault of a server, the error it becomes, and that nothing of it stays in the process.
@Suite(.timeLimit(.minutes(1))) struct FaultTableTests {
  private struct Fault: Sendable {
    let path: String
    let error: DownloadError
    let answer: FaultServer.Handler

    init(_ path: String, _ error: DownloadError, _ answer: @escaping FaultServer.Handler) {
      self.path = path
      self.error = error
      self.answer = answer
    }
  }

  private static let body = [UInt8](repeating: 7, count: 1000)
  private static let limit = 100_000

  private static let brokenHeads: [Fault] = [
    Fault("/closed", .connectionFailed(reason: "the server closed it without an answer")) {
      $0.close()
    },
    Fault("/silent", .timedOut(.idle)) { $0.holdUntilClosed() },
    Fault("/no-http", .badResponse(reason: "it does not speak HTTP")) { exchange in
      exchange.sendRaw(Array("220 mail.example ESMTP\r\n".utf8))
      exchange.close()
    },
    Fault("/slow-head", .timedOut(.idle)) { exchange in
      exchange.sendRaw(Array("HTTP/1.1 200 OK\r\nX: ".utf8))
      while exchange.sendRaw([120]), exchange.pause(milliseconds: 10) {}
    },
    Fault("/flood", .badResponse(reason: "its header fields are too long")) { exchange in
      exchange.sendRaw(Array("HTTP/1.1 200 OK\r\n".utf8))
      while exchange.sendRaw(Array("X: \(String(repeating: "x", count: 900))\r\n".utf8)) {}
    },
    Fault("/loop", .redirectRefused(reason: "there are too many")) {
      $0.respond(302, ["Location": "/loop"], [])
    },
    Fault("/to-file", .redirectRefused(reason: "it leads to an address that is not followed")) {
      $0.respond(302, ["Location": "file:///etc/hostname"], [])
    },
    Fault("/unasked-part", .badResponse(reason: "it sent a part of the body that nobody asked for"))
    {
      $0.respond(206, ["Content-Range": "bytes 0-999/5000"], body)
    },
    Fault("/teapot", .refused(status: 418, retryAfter: nil)) { $0.respond(418, [:], body) },
    Fault("/busy", .refused(status: 503, retryAfter: .seconds(7))) {
      $0.respond(503, ["Retry-After": "7"], [])
    },
  ]

  private static let brokenBodies: [Fault] = [
    Fault("/empty", .emptyBody) { $0.respond(200, [:], []) },
    Fault("/short", .incomplete(received: 1000, expected: 2000)) { exchange in
      exchange.sendHead(200, ["Content-Length": "2000"])
      exchange.write(body)
      exchange.close()
    },
    Fault("/no-end", .incomplete(received: 1000, expected: nil)) { exchange in
      exchange.sendHead(200, ["Transfer-Encoding": "chunked"])
      exchange.writeChunk(body)
      exchange.close()
    },
    Fault("/long", .tooLarge(limit: limit)) { exchange in
      exchange.sendHead(200, ["Content-Length": "9999999999"])
      exchange.holdUntilClosed()
    },
    Fault("/endless", .tooLarge(limit: limit)) { exchange in
      exchange.sendHead(200)
      while exchange.write(body) {}
    },
    Fault("/stuck", .timedOut(.idle)) { exchange in
      exchange.sendHead(200, ["Content-Length": "2000"])
      exchange.write(body)
      exchange.holdUntilClosed()
    },
    Fault("/drip", .timedOut(.deadline)) { exchange in
      exchange.sendHead(200)
      while exchange.write([1]), exchange.pause(milliseconds: 10) {}
    },
  ]

  private static let faults = brokenHeads + brokenBodies

  /// All faults at once, to a downloader of their own, until the server has seen all connections go.
  private func meetAll() async throws {
    let server = try FaultServer()
    for fault in Self.faults { server.route(fault.path, fault.answer) }
    var configuration = DownloaderConfiguration()
    configuration.maximumConcurrentTransfers = 50
    let downloader = Downloader(configuration: configuration)
    var options = TransferOptions()
    options.idleTimeout = .milliseconds(150)
    options.deadline = .milliseconds(600)
    options.maximumBodySize = Self.limit
    let transfers = Self.faults.map { TransferRecorder(downloader, server.url($0.path), options) }
    for (fault, transfer) in zip(Self.faults, transfers) {
      await transfer.ended()
      #expect(transfer.failure == fault.error, "\(fault.path)")
      #expect(transfer.image == nil, "\(fault.path)")
    }
    #expect(downloader.counts.total == 0)
    await downloader.shutDown()
    server.stop()
    try await server.wait { $0.openConnections == 0 && $0.active == 0 }
  }

  @Test func `each fault gives its error, and leaves no descriptor and no thread`() async throws {
    try await meetAll()
    let before = (ProcessCounts.descriptors, ProcessCounts.threads)
    for _ in 0..<5 { try await meetAll() }
    // A leak of one a round and fault would be 85. Threads of pools come and go, and those that
    // end let go of their last descriptors after they have said so.
    let limit = ContinuousClock.now + .seconds(20)
    while ProcessCounts.descriptors > before.0 + 4 || ProcessCounts.threads > before.1 + 8,
      ContinuousClock.now < limit
    {
      await Task.yield()
    }
    #expect(ProcessCounts.descriptors <= before.0 + 4)
    #expect(ProcessCounts.threads <= before.1 + 8)
  }
}
