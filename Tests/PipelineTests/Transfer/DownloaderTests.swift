import Flow
import Foundation
import Pipeline
import TestSupport
import Testing

struct DownloaderTests {
  let server: FaultServer
  let downloader = Downloader()

  init() throws { server = try FaultServer() }

  @Test func `B85: a body comes whole, with its response`() async throws {
    let bytes = pattern(300_000)
    server.serve("/a.png", bytes, type: "image/png")
    let transfer = await downloader.outcome(server.url("/a.png"))
    #expect(transfer.failure == nil)
    #expect(transfer.body == bytes)
    #expect(transfer.image?.response?.status == 200)
    #expect(transfer.image?.response?.header("content-type") == "image/png")
    #expect(transfer.image?.response?.protocolName == "HTTP/1.1")
    #expect(transfer.image?.response?.url == server.url("/a.png"))
    #expect(transfer.image?.origin == .network)
  }

  @Test func `B63, B81, B83, B95, B96: progress starts unknown, learns its size, and only rises`()
    async throws
  {
    let gate = Gate()
    server.route("/a") { exchange in
      exchange.sendHead(200, ["Content-Length": "3000"])
      exchange.write(pattern(1000))
      guard exchange.hold(until: gate) else { return }
      exchange.write(pattern(2000))
    }
    let transfer = TransferRecorder(downloader, server.url("/a"))
    await transfer.events(3)
    gate.open()
    await transfer.ended()
    let progress = transfer.progress
    #expect(progress.first == LoadProgress(received: 0, expected: nil))
    #expect(progress.dropFirst().first == LoadProgress(received: 0, expected: 3000))
    #expect(progress.contains(LoadProgress(received: 1000, expected: 3000)))
    #expect(progress.last == LoadProgress(received: 3000, expected: 3000))
    #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.received <= $1.received })
  }

  @Test func `growing bytes share one buffer and stay what they were`() async throws {
    let gate = Gate()
    let bytes = pattern(100_000)
    server.route("/a") { exchange in
      exchange.sendHead(200, ["Content-Length": "100000"])
      exchange.write(Array(bytes[..<40_000]))
      guard exchange.hold(until: gate) else { return }
      exchange.write(Array(bytes[40_000...]))
    }
    let transfer = TransferRecorder(downloader, server.url("/a"))
    await transfer.events(3)
    gate.open()
    await transfer.ended()
    for case .bytes(let image) in transfer.events {
      #expect(image.bytes.prefix(image.bytes.count) == Array(bytes[..<image.bytes.count]))
    }
    #expect(transfer.body == bytes)
  }

  @Test func `B3: six run at once, however many are asked for`() async throws {
    let gate = Gate()
    server.route("/a") { exchange in
      if exchange.hold(until: gate) { exchange.respond(200, [:], [1]) }
    }
    let all = (0..<20).map { _ in TransferRecorder(downloader, server.url("/a")) }
    try await server.wait { $0.active == 6 }
    gate.open()
    for transfer in all { await transfer.ended() }
    #expect(all.allSatisfy { $0.body == [1] })
    #expect(server.counts.mostAtOnce == 6)
    #expect(server.counts.connections <= 6)
  }

  @Test func `B68: cancelling a running transfer closes its connection`() async throws {
    server.route("/a") { exchange in
      exchange.sendHead(200, ["Content-Length": "10"])
      exchange.holdUntilClosed()
    }
    let transfer = TransferRecorder(downloader, server.url("/a"))
    try await server.wait { $0.active == 1 }
    transfer.cancel()
    try await server.wait { $0.abandoned("/a") == 1 && $0.openConnections == 0 }
    #expect(transfer.end == nil)
  }

  @Test func `B59: cancelling a waiting transfer means no request`() async throws {
    let gate = Gate()
    server.route("/held") { exchange in
      if exchange.hold(until: gate) { exchange.respond(200, [:], [1]) }
    }
    server.serve("/next", [2])
    let running = (0..<6).map { _ in TransferRecorder(downloader, server.url("/held")) }
    try await server.wait { $0.active == 6 }
    let waiting = TransferRecorder(downloader, server.url("/next"))
    waiting.cancel()
    let last = TransferRecorder(downloader, server.url("/last"))
    gate.open()
    for transfer in running { await transfer.ended() }
    await last.ended()
    #expect(server.counts.hits("/next") == 0)
    #expect(waiting.events.isEmpty)
  }

  @Test func `connections are used again`() async throws {
    server.serve("/a", [1, 2, 3])
    for _ in 0..<5 { await downloader.outcome(server.url("/a")) }
    #expect(server.counts.hits("/a") == 5)
    #expect(server.counts.connections == 1)
  }

  @Test func `B80: bytes and data URLs need no server and have no status`() async throws {
    let data = try #require(URL(string: "data:image/gif;base64,R0lGODlh"))
    #expect(await downloader.outcome(data).body == Array("GIF89a".utf8))
    let request = ImageRequest(.bytes(ImageBytes([1, 2]), key: "two"))
    let transfer = await TransferRecorder(downloader.transfer(for: request)).ended()
    #expect(transfer.body == [1, 2])
    #expect(transfer.image?.origin == .local)
    #expect(transfer.image?.response == nil)
  }
}
