import Flow
import Foundation
import Pipeline
import TestSupport
import Testing

/// Every error there is, had by loading something.
@Suite(.timeLimit(.minutes(2))) struct ErrorCatalogueTests {
  /// What can not be had by loading from here, and why.
  private static let elsewhere = [
    "unusableFolder": "of opening a cache", "notWritten": "of keeping by hand",
    "insecure": "of a server with TLS", "outOfReach": "of a tier behind the disk",
    "tooMuchMetadata": "of larger files than stand here",
    "outOfMemory": "of a machine without memory", "empty": "of decoding by hand",
    "unsupportedFeature": "of files that nothing here writes: the corpus has some",
  ]

  private struct Row {
    let name: String
    let request: ImageRequest
    let pipeline: ImagePipeline
    let matches: (LoadError) -> Bool
  }

  private static func names(in source: String) throws -> [String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent("Sources/Pipeline/\(source)"), encoding: .utf8)
    return text.matches(of: /\n  case ([a-z][A-Za-z]*)/).map { String($0.1) }
  }

  @Test func `B184: every error can be had by loading, and each is in the catalogue`()
    async throws
  {
    let fixture = try PipelineFixture()
    let rows = try downloads(fixture) + pictures(fixture) + transforms(fixture) + chains(fixture)
    for row in rows {
      let error = await #expect(throws: LoadError.self, "\(row.name)") {
        try await row.pipeline.image(for: row.request)
      }
      guard let error else { continue }
      #expect(row.matches(error), "\(row.name): \(error)")
      #expect(error.source == row.request.source.name)
      #expect("\(error)" == "\(row.request.source.name): \(error.reason)")
    }
    let covered = Set(rows.map(\.name)).union(Self.elsewhere.keys)
      .union(["cancelled", "shutDown"])
    let sources = [
      "Caches/CacheError.swift", "Transfer/DownloadError.swift", "Codecs/DecodeError.swift",
      "Transforms/ImageTransform.swift",
    ]
    for source in sources {
      for name in try Self.names(in: source) { #expect(covered.contains(name), "\(name)") }
    }
  }

  @Test func `B164: cancelling all is a shutdown of a downloader or of a pipeline`() async throws {
    let fixture = try PipelineFixture()
    fixture.serveGated("/a.png", Gate())
    let url = fixture.server.url("/a.png")
    let counter = LoadCounter()
    let first = counter.subscribe(to: fixture.pipeline.load(url))
    try await fixture.server.wait { $0.hits("/a.png") == 1 }
    fixture.downloader.cancelAll()
    await counter.wait { $0.finished == 1 }
    let second = counter.subscribe(to: fixture.pipeline.load(url))
    try await fixture.server.wait { $0.hits("/a.png") == 2 }
    await fixture.downloader.shutDown()
    await counter.wait { $0.finished == 2 }
    #expect(
      counter.now.failures == [
        .download(.cancelled, source: url.absoluteString),
        .download(.shutDown, source: url.absoluteString),
      ])
    await fixture.idle()
    #expect(fixture.pipeline.counters.running == 0)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `a chain in the wrong order, or without an image, is an error with a word of advice`()
    async throws
  {
    let url = URL(fileURLWithPath: "/dev/null")
    let bytes = ImageRequest(.bytes(ImageBytes(PipelineFixture.png), key: "a"))
    let chains: [(LoadError.ChainFault, any Publisher<LoadEvent, LoadError>)] = [
      (.requestNotAnswered, Load(url).decode()),
      (.bytesNotDecoded, Load(bytes).download(with: Downloader()).store(in: nil)),
      (
        .nothing,
        Empty<LoadEvent, LoadError>().requireImage()
      ),
    ]
    for (fault, chain) in chains {
      func run(_ chain: some Publisher<LoadEvent, LoadError>) async throws {
        for try await _ in chain.values {}
      }
      let error = await #expect(throws: LoadError.self) { try await run(chain) }
      guard case .incompleteChain(fault, source: _) = error else {
        Issue.record("\(fault): \(String(describing: error))")
        continue
      }
      #expect(error?.reason == fault.rawValue)
    }
  }

  private func downloads(_ fixture: PipelineFixture) throws -> [Row] {
    let (server, pipeline) = (fixture.server, fixture.pipeline)
    func row(
      _ name: String, _ path: String, _ pipeline: ImagePipeline? = nil,
      _ change: (inout ImageRequest) -> Void = { _ in },
      _ matches: @escaping (DownloadError) -> Bool
    ) throws -> Row {
      let url = path.hasPrefix("/") ? server.url(path) : try #require(URL(string: path))
      var request = ImageRequest(url)
      change(&request)
      return Row(name: name, request: request, pipeline: pipeline ?? fixture.pipeline) { error in
        if case .download(let error, _) = error { matches(error) } else { false }
      }
    }
    server.route("/short") { exchange in
      exchange.sendHead(200, ["Content-Length": "1000"])
      exchange.write([1, 2])
    }
    server.serve("/empty", [])
    server.serve("/large", Array(repeating: 1, count: 2000))
    server.redirect("/ftp", to: "ftp://127.0.0.1/a")
    server.route("/nonsense") {
      $0.sendRaw(Array("what?\r\n\r\n".utf8)); $0.close()
    }
    for path in ["/silent", "/late"] { server.route(path) { $0.holdUntilClosed() } }
    server.serve("/good", PipelineFixture.png)
    var guarded = DownloaderConfiguration()
    guarded.addresses = .publicOnly
    let careful = ImagePipeline(
      configuration: .init(downloader: Downloader(configuration: guarded)))
    let forbidding = pipeline.replacing { $0.hooks.mayDownload = { _ in false } }
    struct Refusal: Error {}
    var rows = [
      try row("invalidURL", "http:///nohost") { if case .invalidURL = $0 { true } else { false } },
      try row("unsupportedScheme", "gopher://a/b") { $0 == .unsupportedScheme("gopher") },
      try row("hostNotFound", "http://no-such-host.invalid/") {
        $0 == .hostNotFound("no-such-host.invalid")
      },
      try row("connectionFailed", "http://127.0.0.1:1/") {
        if case .connectionFailed = $0 { true } else { false }
      },
      try row(
        "timedOut", server.url("/good").absoluteString.replacing("http:", with: "https:"), nil,
        { $0.transfer.connectTimeout = .milliseconds(100) }, { $0 == .timedOut(.connect) }),
      try row("refused", "/404") { $0 == .refused(status: 404, retryAfter: nil) },
      try row(
        "timedOut", "/silent", nil, { $0.transfer.idleTimeout = .seconds(1) },
        { $0 == .timedOut(.idle) }),
      try row(
        "timedOut", "/late", nil, { $0.transfer.deadline = .milliseconds(50) },
        { $0 == .timedOut(.deadline) }),
      try row("incomplete", "/short") { $0 == .incomplete(received: 2, expected: 1000) },
      try row("emptyBody", "/empty") { $0 == .emptyBody },
      try row(
        "tooLarge", "/large", nil, { $0.transfer.maximumBodySize = 1000 },
        { $0 == .tooLarge(limit: 1000) }),
      try row("redirectRefused", "/ftp") { if case .redirectRefused = $0 { true } else { false } },
      try row("badResponse", "/nonsense") { if case .badResponse = $0 { true } else { false } },
      try row("fileNotFound", "file:///no/such/file") { $0 == .fileNotFound },
      try row("notAFile", "file:///tmp") { $0 == .notAFile },
      try row("notAllowed", "/good?1", forbidding) { $0 == .notAllowed },
      try row("addressRefused", "/good?4", careful) {
        if case .addressRefused = $0 { true } else { false }
      },
    ]
    rows.append(
      try row(
        "requestRefused", "/good?2", nil,
        {
          var hooks = TransferHooks(name: "refuses requests")
          hooks.modifyRequest = { _ in throw Refusal() }
          $0.transfer.hooks = hooks
        }, { $0 == .requestRefused(reason: "Refusal()") }))
    rows.append(
      try row(
        "responseRefused", "/good?3", nil,
        {
          var hooks = TransferHooks(name: "refuses responses")
          hooks.validateResponse = { _ in throw Refusal() }
          $0.transfer.hooks = hooks
        }, { $0 == .responseRefused(reason: "Refusal()") }))
    rows.append(
      try row("fileUnreadable", "file:///proc/self/mem") {
        if case .fileUnreadable = $0 { true } else { false }
      })
    let provider = ImageProvider(key: "broken") { throw Refusal() }
    rows.append(
      Row(name: "providerFailed", request: ImageRequest(.provider(provider)), pipeline: pipeline) {
        if case .download(.providerFailed, _) = $0 { true } else { false }
      })
    return rows
  }

  private func pictures(_ fixture: PipelineFixture) throws -> [Row] {
    func row(
      _ name: String, _ bytes: [UInt8], _ change: (inout DecodingOptions) -> Void = { _ in },
      _ matches: @escaping (DecodeError) -> Bool
    ) -> Row {
      var request = ImageRequest(.bytes(ImageBytes(bytes), key: name))
      change(&request.decoding)
      return Row(name: name, request: request, pipeline: fixture.pipeline) { error in
        if case .decode(let error, _) = error { matches(error) } else { false }
      }
    }
    let png = PipelineFixture.png
    var broken = png
    for index in 45..<55 { broken[index] ^= 0xFF }
    let gif = HandmadeFiles.gif([.init(), .init(), .init()])
    let gifBytes = gif.prefix(gif.count)
    return [
      row("unsupportedFormat", Array("<html></html>   ".utf8)) {
        $0 == .unsupportedFormat(name: "HTML")
      },
      row("unknownFormat", [1, 2, 3, 4]) { $0 == .unknownFormat },
      row("truncated", Array(png.dropLast(30))) { $0 == .truncated(.png) },
      row("corrupt", broken) { if case .corrupt(.png, _) = $0 { true } else { false } },
      row("notAnimated", png, { $0.frames = .animationOnly }) { $0 == .notAnimated(.png) },
      row("tooLarge", png, { $0.limits.pixels = 10 }) {
        if case .tooLarge(PixelSize(width: 8, height: 6), _) = $0 { true } else { false }
      },
      row("tooManyFrames", gifBytes, { $0.limits.frames = 2 }) {
        $0 == .tooManyFrames(3, limit: 2)
      },
    ]
  }

  private func transforms(_ fixture: PipelineFixture) -> [Row] {
    struct Refusal: Error {}
    func row(
      _ name: String, _ transform: any ImageTransform, _ matches: @escaping (TransformError) -> Bool
    ) -> Row {
      var request = ImageRequest(.bytes(ImageBytes(PipelineFixture.png), key: name))
      request.transforms = [transform]
      return Row(name: name, request: request, pipeline: fixture.pipeline) { error in
        if case .transform(let error, _) = error { matches(error) } else { false }
      }
    }
    return [
      row("invalidParameter", .resize(fitting: PixelSize(width: 0, height: 0))) {
        if case .invalidParameter = $0 { true } else { false }
      },
      row("tooLarge", .resize(to: PixelSize(width: 1_000_000, height: 1_000_000))) {
        if case .tooLarge = $0 { true } else { false }
      },
      row("failed", .custom("a") { _, _ in throw Refusal() }) {
        $0 == .failed(transform: "custom(a)", reason: "Refusal()")
      },
      row("cancelled", .custom("b") { _, _ in throw CancellationError() }) { $0 == .cancelled },
    ]
  }

  private func chains(_ fixture: PipelineFixture) -> [Row] {
    var request = ImageRequest(fixture.server.url("/not-cached"))
    request.caching = .cacheOnly
    return [
      Row(name: "notCached", request: request, pipeline: fixture.pipeline) { error in
        if case .cacheLookup(.notCached, _) = error { true } else { false }
      }
    ]
  }
}
