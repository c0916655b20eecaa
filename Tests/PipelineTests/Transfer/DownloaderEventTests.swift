import Flow
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// B138–B143: what watchers of a downloader hear, in order.
struct DownloaderEventTests {
  let server: FaultServer
  let downloader = Downloader()

  init() throws {
    server = try FaultServer()
    server.serve("/a", [1, 2])
    server.serve("/unchanged", [], status: 304)
    server.route("/held") { $0.holdUntilClosed() }
    server.route("/cut") { exchange in
      exchange.sendHead(200, ["Content-Length": "10"])
      exchange.write([1])
      exchange.close()
    }
  }

  /// The steps of one load, as words.
  private func steps(
    _ path: String, headers: [HeaderField] = [], cancelling: Bool = false
  ) async throws -> [String] {
    let steps = Mutex<[String]>([])
    let url = server.url(path)
    let watch = downloader.events.filter { $0.url == url }.sink { event in
      let word =
        switch event.step {
        case .started: "start"
        case .responded(let response): "response \(response.status)"
        case .stopped: "stop"
        case .finished: "finish"
        }
      steps.withLock { $0.append(word) }
    }
    defer { watch.cancel() }
    var options = TransferOptions()
    options.headers = headers
    let transfer = TransferRecorder(downloader, url, options)
    if cancelling {
      try await server.wait { $0.active == 1 }
      transfer.cancel()
      try await server.wait { $0.openConnections == 0 }
    } else {
      await transfer.ended()
    }
    await downloader.shutDown()
    return steps.withLock { $0 }
  }

  @Test func `B60, B61, B62, B65, B117, B138: success is start, response, stop, finish`()
    async throws
  {
    #expect(try await steps("/a") == ["start", "response 200", "stop", "finish"])
  }

  @Test func `B139: a broken transfer is start, response, stop`() async throws {
    #expect(try await steps("/cut") == ["start", "response 200", "stop"])
  }

  @Test func `B86, B140: a refusal is start, response with its status, stop`() async throws {
    #expect(try await steps("/missing") == ["start", "response 404", "stop"])
  }

  @Test func `B88, B141: not modified stops exactly once`() async throws {
    let tag = HeaderField(name: "If-None-Match", value: "\"1\"")
    #expect(
      try await steps("/unchanged", headers: [tag])
        == ["start", "response 304", "stop", "finish"])
  }

  @Test func `B69, B142: cancelled while running is start, stop`() async throws {
    #expect(try await steps("/held", cancelling: true) == ["start", "stop"])
  }

  @Test func `B70: cancelled before its start is silent`() async throws {
    downloader.suspend()
    let steps = Mutex(0)
    let watch = downloader.events.sink { _ in steps.withLock { $0 += 1 } }
    defer { watch.cancel() }
    let transfer = TransferRecorder(downloader, server.url("/a"))
    transfer.cancel()
    downloader.resume()
    await downloader.shutDown()
    #expect(steps.withLock { $0 } == 0)
    #expect(server.counts.hits("/a") == 0)
  }

  @Test func `B94, B143: each names its transfer`() async throws {
    let ids = Mutex<[UInt64]>([])
    let watch = downloader.events.sink { event in ids.withLock { $0.append(event.id) } }
    defer { watch.cancel() }
    await downloader.outcome(server.url("/a"))
    await downloader.outcome(server.url("/a"))
    await downloader.shutDown()
    let seen = ids.withLock { $0 }
    #expect(seen.count == 8)
    #expect(Set(seen[..<4]).count == 1 && Set(seen[4...]).count == 1 && seen[0] != seen[4])
  }

  @Test func `B89: not modified is an answer, and the stored copy holds`() async throws {
    var options = TransferOptions()
    options.headers = [HeaderField(name: "If-None-Match", value: "\"1\"")]
    let transfer = await downloader.outcome(server.url("/unchanged"), options)
    #expect(transfer.failure == nil)
    guard case .notModified(let response)? = transfer.events.last else {
      Issue.record("no word of it")
      return
    }
    #expect(response.status == 304)
  }
}
