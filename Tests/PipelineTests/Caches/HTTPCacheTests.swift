import Foundation
import TestSupport
import Testing

@testable import Pipeline

/// Loads by the server's words, through the whole pipeline. Sections are of RFC 9111.
@Suite(.timeLimit(.minutes(1))) struct HTTPCacheTests {
  @Test func `R028: fresh is not asked for, stale is confirmed by a 304 and then fresh again`()
    async throws
  {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    let request = fixture.request(origin)
    let first = try await fixture.pipeline.image(for: request)
    #expect(first.origin == .network && first.encoded?.verdict == .miss)
    fixture.pass(seconds: 59)
    fixture.cache.memory?.removeAll()
    let second = try await fixture.pipeline.image(for: request)
    #expect(second.origin == .disk && second.encoded?.verdict == .fresh)
    fixture.pass(seconds: 1)
    let third = try await fixture.pipeline.image(for: request)
    #expect(third.origin == .disk && third.encoded?.verdict == .revalidated)
    #expect(third.bitmap == first.bitmap)
    fixture.pass(seconds: 59)
    fixture.cache.memory?.removeAll()
    #expect(try await fixture.pipeline.image(for: request).encoded?.verdict == .fresh)
    #expect(fixture.server.counts.hits("/a.png") == 2)
    #expect(fixture.server.counts.requests.last?.headers["if-none-match"] == "\"1\"")
  }

  @Test func `a fresh image in memory is delivered in the same turn, a stale one is asked for`()
    async throws
  {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    let request = fixture.request(origin)
    _ = try await fixture.pipeline.image(for: request)
    let counter = LoadCounter()
    let task = counter.subscribe(to: fixture.pipeline.load(request))
    #expect(counter.now.images == 1 && counter.now.finished == 1)
    task.cancel()
    fixture.pass(seconds: 61)
    #expect(request.memoryHit(in: fixture.cache) == nil)
  }

  @Test func `R036: what changed at the server replaces memory and disk, also for other sizes`()
    async throws
  {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    let request = fixture.request(origin)
    var halved = request
    halved.transforms = [Halved()]
    #expect(try await fixture.width(request) == 8)
    #expect(try await fixture.width(halved) == 4)
    origin.change(width: 16)
    fixture.pass(seconds: 61)
    let changed = try await fixture.pipeline.image(for: request)
    #expect(changed.origin == .network && changed.encoded?.verdict == .changed)
    for var plain in [request, halved] {
      plain.caching = .cacheOnly
      #expect(try await fixture.width(plain) == (plain.transforms.isEmpty ? 16 : 8))
    }
    #expect(fixture.server.counts.hits("/a.png") == 2)
  }

  @Test func `R034: what one process stored is fresh for the next`() async throws {
    let first = try HTTPCacheFixture()
    let origin = ChangingOrigin(first.server, control: "max-age=600")
    _ = try await first.width(first.request(origin))
    let second = try HTTPCacheFixture(folder: first.folder, time: first.time)
    let again = try await second.pipeline.image(for: first.request(origin))
    #expect(again.origin == .disk && first.server.counts.hits("/a.png") == 1)
  }

  @Test func `R033: a field that is not ASCII survives a 304 and a restart`() async throws {
    let first = try HTTPCacheFixture()
    let origin = ChangingOrigin(first.server, control: "max-age=60")
    first.server.route("/a.png") { exchange in
      let isKnown = exchange.request.headers["if-none-match"] != nil
      let body = isKnown ? [] : PipelineFixture.png
      let head = "HTTP/1.1 \(isKnown ? "304 Not Modified" : "200 OK")\r\n"
      let fields = "ETag: \"1\"\r\nCache-Control: max-age=60\r\nContent-Length: \(body.count)\r\n"
      exchange.sendRaw(Array((head + fields + "X-Name: caf").utf8) + [0xE9, 13, 10, 13, 10] + body)
      exchange.close()
    }
    let request = first.request(origin)
    _ = try await first.width(request)
    first.pass(seconds: 61)
    #expect(try await first.pipeline.image(for: request).encoded?.verdict == .revalidated)
    let second = try HTTPCacheFixture(folder: first.folder, time: first.time)
    let again = try await second.pipeline.image(for: request)
    #expect(again.origin == .disk && again.encoded?.response?.header("X-Name") == "café")
    #expect(first.server.counts.hits("/a.png") == 2)
  }

  @Test func `R039: a 404 is the same error again, without asking, until it is to be retried`()
    async throws
  {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    origin.change { $0.trouble = 404 }
    let request = fixture.request(origin)
    var errors: [LoadError?] = []
    for _ in 0..<2 { errors.append(await fixture.images(request).error) }
    let refused = LoadError.download(
      .refused(status: 404, retryAfter: nil), source: request.source.name)
    #expect(errors == [refused, refused])
    #expect(fixture.server.counts.hits("/a.png") == 1)
    var again = request
    again.caching.retriesFailed = true
    #expect(await fixture.images(again).error == refused)
    #expect(fixture.server.counts.hits("/a.png") == 2)
  }

  @Test func `4.1: pictures that Vary tells apart are stored side by side`() async throws {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    fixture.server.route("/a.png") { exchange in
      let width = exchange.request.headers["x-theme"] == "dark" ? 16 : 8
      exchange.respond(
        200, ["Cache-Control": "max-age=60", "Vary": "X-Theme"],
        PipelineFixture.pngBytes(width: width, height: 6))
    }
    var dark = fixture.request(origin)
    dark.transfer.headers = [HeaderField(name: "X-Theme", value: "dark")]
    var other = fixture.request(origin)
    other.transfer.headers = [HeaderField(name: "X-Other", value: "1")]
    for _ in 0..<2 {
      #expect(try await fixture.width(fixture.request(origin)) == 8)
      #expect(try await fixture.width(dark) == 16)
      #expect(try await fixture.width(other) == 8)
      fixture.cache.memory?.removeAll()
    }
    #expect(fixture.server.counts.hits("/a.png") == 2)
  }

  @Test func `4.1: what the pipeline sends besides counts where Vary names it`() async throws {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    fixture.server.route("/a.png") { exchange in
      let takesWebP = exchange.request.headers["accept"]?.contains("image/webp") == true
      exchange.respond(
        200, ["Cache-Control": "max-age=60", "Vary": "Accept, User-Agent"],
        PipelineFixture.pngBytes(width: takesWebP ? 16 : 8, height: 6))
    }
    let request = fixture.request(origin)
    let plain = fixture.pipeline.replacing {
      $0.decoders = DecoderRegistry(decoders: [PNGDecoder()])
    }
    var other = DownloaderConfiguration()
    other.userAgent = "Other/1"
    let renamed = fixture.pipeline.replacing { $0.downloader = Downloader(configuration: other) }
    for pipeline in [fixture.pipeline, plain, renamed, fixture.pipeline, plain, renamed] {
      let width = try await pipeline.image(for: request).bitmap.width
      #expect(width == (pipeline === plain ? 8 : 16))
    }
    #expect(fixture.server.counts.hits("/a.png") == 3)
    fixture.cache.memory?.removeAll()
    for pipeline in [fixture.pipeline, plain, renamed] {
      let loaded = try await pipeline.image(for: request)
      #expect(loaded.origin != .network && loaded.bitmap.width == (pipeline === plain ? 8 : 16))
    }
    #expect(fixture.server.counts.hits("/a.png") == 3)
  }

  @Test func `4.1: of what Vary names only digests are written`() async throws {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    origin.change { $0.headers["Vary"] = "Authorization, X-Key" }
    var request = fixture.request(origin)
    for secret in ["first secret", "second secret"] {
      request.transfer.headers = [
        HeaderField(name: "Authorization", value: "Bearer " + secret),
        HeaderField(name: "X-Key", value: secret),
      ]
      request.key = "the same for both"
      for _ in 0..<2 { _ = try await fixture.width(request) }
    }
    #expect(fixture.server.counts.hits("/a.png") == 2)
    let files = fixture.folder.files(in: "entries")
    #expect(files.count == 2)
    for file in files {
      let data = try Data(
        contentsOf: URL(fileURLWithPath: fixture.folder.path + "/entries/" + file))
      #expect(data.range(of: Data("secret".utf8)) == nil)
    }
  }

  @Test func `4.1: what cookies chose is not used again where they are the jar's to send`()
    async throws
  {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    origin.change { $0.headers["Vary"] = "Cookie" }
    var request = fixture.request(origin)
    for _ in 0..<2 { _ = try await fixture.width(request) }
    #expect(fixture.server.counts.hits("/a.png") == 1)
    request.transfer.usesCookies = true
    for _ in 0..<2 { _ = try await fixture.width(request) }
    #expect(fixture.server.counts.hits("/a.png") == 3)
  }

  @Test func `3: no-store is kept nowhere by the server's words`() async throws {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "no-store")
    for _ in 0..<2 { _ = try await fixture.width(fixture.request(origin)) }
    #expect(fixture.server.counts.hits("/a.png") == 2)
    #expect(fixture.folder.files(in: "entries").isEmpty)
    #expect(fixture.cache.memory?.statistics.count == 0)
    // One address is one image: the default keeps it, and the other way still asks.
    _ = try await fixture.width(fixture.request(origin, CachePolicy()))
    #expect(fixture.folder.files(in: "entries").count == 1)
    _ = try await fixture.width(fixture.request(origin))
    #expect(fixture.server.counts.hits("/a.png") == 4)
  }

  @Test(arguments: [
    ("only-if-cached", Int64(30), 1, true), ("only-if-cached", 90, 1, false),
    ("no-cache", 1, 2, true),
    ("max-age=10", 11, 2, true), ("max-age=10", 9, 1, true), ("min-fresh=40", 30, 2, true),
    ("min-fresh=20", 30, 1, true), ("max-stale=20", 75, 1, true), ("max-stale=20", 90, 2, true),
    ("no-store", 30, 1, true),
  ])
  func `5.2.1: what the request says of caches is obeyed`(
    directive: String, after: Int64, hits: Int, isAnswered: Bool
  ) async throws {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    _ = try await fixture.width(fixture.request(origin))
    fixture.pass(seconds: after)
    let outcome = await fixture.images(fixture.request(origin, asking: directive))
    #expect(outcome.images.count == (isAnswered ? 1 : 0))
    if !isAnswered { #expect(outcome.error?.reason == "\(CacheError.notCached)") }
    #expect(fixture.server.counts.hits("/a.png") == hits)
  }

  @Test func `5.2.1.7: only-if-cached with nothing stored fails without asking`() async throws {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    let outcome = await fixture.images(fixture.request(origin, asking: "only-if-cached"))
    #expect(outcome.error?.reason == "\(CacheError.notCached)")
    #expect(fixture.server.counts.hits("/a.png") == 0)
  }

  @Test func `4.3.4: a 304 for another tag than the stored one is not believed`() async throws {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    let request = fixture.request(origin)
    _ = try await fixture.width(request)
    origin.change(width: 16)
    origin.change { $0.confirmedTag = "\"other\"" }
    fixture.pass(seconds: 61)
    #expect(try await fixture.width(request) == 16)
    #expect(fixture.server.counts.hits("/a.png") == 3)
  }

  @Test func `4.3.3: a stale image without validators is fetched whole`() async throws {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    fixture.server.serve("/a.png", PipelineFixture.png, headers: ["Cache-Control": "max-age=60"])
    let request = fixture.request(origin)
    _ = try await fixture.width(request)
    fixture.pass(seconds: 61)
    let again = try await fixture.pipeline.image(for: request)
    #expect(again.origin == .network && again.encoded?.verdict == .revalidated)
    #expect(fixture.server.counts.hits("/a.png") == 2)
  }

  @Test func `loads of the same address in both ways share the file`() async throws {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    _ = try await fixture.width(fixture.request(origin, CachePolicy()))
    fixture.cache.memory?.removeAll()
    #expect(try await fixture.pipeline.image(for: fixture.request(origin)).origin == .disk)
    fixture.pass(seconds: 61)
    fixture.cache.memory?.removeAll()
    #expect(
      try await fixture.pipeline.image(for: fixture.request(origin, CachePolicy())).origin == .disk)
    #expect(fixture.server.counts.hits("/a.png") == 1)
  }

  @Test func `B116: data comes with the cache's verdict, and is stored`() async throws {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    let request = fixture.request(origin)
    var verdicts: [CacheVerdict?] = []
    for seconds in [0, 30, 61] {
      fixture.pass(seconds: Int64(seconds))
      verdicts.append(try await fixture.pipeline.data(for: request).verdict)
    }
    #expect(verdicts == [.miss, .fresh, .revalidated])
    #expect(try await fixture.pipeline.data(for: request).response?.status == 200)
  }

  @Test func `a file is read anew by each load that does not trust it to stay`() async throws {
    let fixture = try HTTPCacheFixture()
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".png")
    defer { try? FileManager.default.removeItem(at: file) }
    var request = ImageRequest(file)
    request.caching = .http
    for width in [8, 16] {
      try Data(PipelineFixture.pngBytes(width: width, height: 6)).write(to: file)
      #expect(try await fixture.width(request) == width)
    }
  }
}
