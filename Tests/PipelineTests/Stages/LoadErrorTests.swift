import Flow
import Foundation
import Pipeline
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct LoadErrorTests {
  private func error(of request: ImageRequest, _ fixture: PipelineFixture) async -> LoadError? {
    await #expect(throws: LoadError.self) { try await fixture.pipeline.image(for: request) }
  }

  @Test func `statuses, empty bodies and bodies cut short are typed and name the URL`()
    async throws
  {
    let fixture = try PipelineFixture()
    fixture.server.serve("/404", [1], status: 404)
    fixture.server.serve("/500", [1], status: 500)
    fixture.server.serve("/empty", [])
    fixture.server.route("/short") { exchange in
      exchange.sendHead(200, ["Content-Length": "1000"])
      exchange.write(PipelineFixture.png)
    }
    let expected: [String: DownloadError] = [
      "/404": .refused(status: 404, retryAfter: nil),
      "/500": .refused(status: 500, retryAfter: nil),
      "/empty": .emptyBody,
      "/short": .incomplete(received: PipelineFixture.png.count, expected: 1000),
    ]
    for (path, reason) in expected {
      let url = fixture.server.url(path)
      let error = await error(of: ImageRequest(url), fixture)
      #expect(error == .download(reason, source: url.absoluteString))
      #expect("\(try #require(error))".hasPrefix(url.absoluteString + ": "))
    }
    #expect(fixture.cache.memory?.statistics.count == 0)
  }

  @Test func `HTML, a truncated PNG and a giant header are decode errors`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/html", Array("<!doctype html><html></html>".utf8), type: "image/png")
    fixture.server.serve("/cut", Array(PipelineFixture.png.dropLast(30)))
    fixture.server.serve("/giant", Self.giantHeader)
    let html = await error(of: ImageRequest(fixture.server.url("/html")), fixture)
    let cut = await error(of: ImageRequest(fixture.server.url("/cut")), fixture)
    let giant = await error(of: ImageRequest(fixture.server.url("/giant")), fixture)
    guard case .decode(.unsupportedFormat(name: "HTML"), _) = html,
      case .decode(.truncated(.png), _) = cut,
      case .decode(.tooLarge(PixelSize(width: 60_000, height: 60_000), _), _) = giant
    else {
      Issue.record("got \(String(describing: (html, cut, giant)))")
      return
    }
  }

  @Test func `a host without address, a closed port and a missing file are download errors`()
    async throws
  {
    let fixture = try PipelineFixture()
    let unknown = try #require(URL(string: "http://no-such-host.invalid/a.png"))
    let port = fixture.server.url("/a.png")
    fixture.server.stop()
    let missing = URL(fileURLWithPath: "/nonexistent/a.png")
    let first = await error(of: ImageRequest(unknown), fixture)
    let second = await error(of: ImageRequest(port), fixture)
    let third = await error(of: ImageRequest(missing), fixture)
    guard case .download(.hostNotFound("no-such-host.invalid"), _) = first,
      case .download(.connectionFailed, _) = second, case .download(.fileNotFound, _) = third
    else {
      Issue.record("got \(String(describing: (first, second, third)))")
      return
    }
  }

  @Test func `only the cache: a miss is an error and the server is not asked`() async throws {
    let fixture = try PipelineFixture()
    var request = ImageRequest(fixture.server.url("/a.png"))
    request.caching = .cacheOnly
    let error = await error(of: request, fixture)
    #expect(error == .cacheLookup(.notCached, source: request.source.name))
    #expect(fixture.server.counts.connections == 0)
  }

  @Test func `a transfer that ends without having said that its bytes are all is incomplete`()
    async throws
  {
    /// Sends what it is given, and ends well.
    struct Careless: ImageDownloader {
      let events: [TransferEvent]
      func transfer(for request: ImageRequest) -> AnyPublisher<TransferEvent, DownloadError> {
        events.publisher.setFailureType(to: DownloadError.self).eraseToAnyPublisher()
      }
    }
    let some = EncodedImage(
      bytes: ImageBytes(Array(PipelineFixture.png.prefix(20))), isComplete: false, origin: .network)
    let url = try #require(URL(string: "https://example.com/a.png"))
    for (events, count) in [([], 0), ([TransferEvent.bytes(some)], 20)] {
      let pipeline = ImagePipeline(configuration: .init(downloader: Careless(events: events)))
      let expected = LoadError.download(
        .incomplete(received: count, expected: nil), source: url.absoluteString)
      await #expect(throws: expected) { try await pipeline.image(for: url) }
      await #expect(throws: expected) { try await pipeline.data(for: ImageRequest(url)) }
    }
  }

  @Test func `a provider that gives up by itself is not taken for one that was cancelled`()
    async throws
  {
    let provider = ImageProvider(key: "a") { throw CancellationError() }
    let error = await #expect(throws: LoadError.self) {
      try await ImagePipeline().image(for: ImageRequest(.provider(provider)))
    }
    guard case .download(.providerFailed, source: "a") = error else {
      Issue.record("got \(String(describing: error))")
      return
    }
  }

  @Test func `other loads go on beside one that fails`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    async let bad = error(of: ImageRequest(fixture.server.url("/404")), fixture)
    async let good = fixture.pipeline.image(for: fixture.server.url("/a.png"))
    #expect(try await good.bitmap.width == 8)
    #expect(await bad != nil)
  }

  /// A PNG signature and header of 60000×60000 RGBA, with its right checksum.
  private static let giantHeader: [UInt8] = {
    var header: [UInt8] = [
      0x49, 0x48, 0x44, 0x52, 0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 6, 0, 0, 0,
    ]
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in header {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    sum ^= 0xFFFF_FFFF
    header += (0..<4).reversed().map { UInt8(sum >> (UInt32($0) * 8) & 255) }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + header
  }()
}
