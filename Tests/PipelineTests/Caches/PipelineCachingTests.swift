import Flow
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// What a pipeline reads from and writes to its caches, and under which keys.
@Suite(.timeLimit(.minutes(1))) struct PipelineCachingTests {
  private let folder = TemporaryFolder()

  private func fixture(_ disk: DiskCacheConfiguration = .init()) throws -> PipelineFixture {
    let fixture = try PipelineFixture(
      disk: DiskCache(folder: folder.path, configuration: disk))
    fixture.server.serve("/a.png", PipelineFixture.png)
    return fixture
  }

  private func request(_ fixture: PipelineFixture, _ path: String = "/a.png") -> ImageRequest {
    var request = ImageRequest(fixture.server.url("/").appending(path: String(path.dropFirst())))
    request.caching.waitsForStore = true
    return request
  }

  private func pipeline(
    _ fixture: PipelineFixture, _ change: (inout ImagePipeline.Configuration) -> Void
  ) -> ImagePipeline {
    var configuration = fixture.pipeline.configuration
    change(&configuration)
    return ImagePipeline(configuration: configuration)
  }

  @Test func `B208 B210: memory, then disk, then network, and a disk hit is put into memory`()
    async throws
  {
    let fixture = try fixture()
    let request = request(fixture)
    #expect(try await fixture.pipeline.image(for: request).origin == .network)
    #expect(try await fixture.pipeline.image(for: request).origin == .memory)
    fixture.cache.memory?.removeAll()
    #expect(try await fixture.pipeline.image(for: request).origin == .disk)
    #expect(try await fixture.pipeline.image(for: request).origin == .memory)
    #expect(fixture.server.counts.hits("/a.png") == 1)
  }

  @Test func `B190 B233: tiers that a request does not write or read are left alone`()
    async throws
  {
    let fixture = try fixture()
    var request = request(fixture)
    request.caching.write = .memory
    _ = try await fixture.pipeline.image(for: request)
    #expect(folder.files(in: "entries").isEmpty && fixture.cache.memory?.statistics.count == 1)
    request.caching = .networkOnly
    #expect(try await fixture.pipeline.image(for: request).origin == .network)
    #expect(fixture.server.counts.hits("/a.png") == 2)
  }

  @Test func `B232: caches only, and nothing is asked`() async throws {
    let fixture = try fixture()
    var request = request(fixture)
    request.caching = .cacheOnly
    await #expect(throws: LoadError.cacheLookup(.notCached, source: request.source.name)) {
      try await fixture.pipeline.image(for: request)
    }
    #expect(fixture.server.counts.hits("/a.png") == 0)
  }

  @Test func `B239: an image that waits for its store is on disk when it comes`() async throws {
    let fixture = try fixture()
    _ = try await fixture.pipeline.image(for: request(fixture))
    #expect(try fixture.cache.diskEntry(forKey: request(fixture).source.name) != nil)
  }

  @Test func `B195 B197: the original stays as it came, whatever is made of it`() async throws {
    let fixture = try fixture()
    var request = request(fixture)
    request.transforms = [Halved()]
    _ = try await fixture.pipeline.image(for: request)
    let entry = try fixture.cache.diskEntry(forKey: request.source.name)
    #expect(entry?.bytes == ImageBytes(PipelineFixture.png))
    #expect(folder.files(in: "entries").count == 1)
  }

  @Test func `B194: results are kept on wish, beside their original, and come without a transform`()
    async throws
  {
    let fixture = try fixture()
    let counting = CountedTransform()
    var request = request(fixture)
    request.transforms = [counting]
    request.caching = .keepingResults
    request.caching.waitsForStore = true
    for _ in 0..<3 {
      let loaded = try await fixture.pipeline.image(for: request)
      #expect(loaded.bitmap.width == 4 && loaded.appliedTransforms == ["counted"])
      fixture.cache.memory?.removeAll()
    }
    #expect(counting.count == 1 && fixture.server.counts.hits("/a.png") == 1)
    // The way of a kept result can be told like any other.
    let reports = Mutex<[LoadRecord]>([])
    let watch = Mutex<AnyCancellable?>(nil)
    watch.withLock {
      $0 = fixture.pipeline.activity.sink { event in
        if case .ended(let report) = event.step { reports.withLock { $0.append(report) } }
      }
    }
    let kept = try await fixture.pipeline.image(for: request)
    #expect(kept.origin == .disk && kept.metrics.lookup != nil && kept.metrics.decode != nil)
    await fixture.idle()
    let report = try #require(reports.withLock { $0.first })
    let works = report.timeline.map(\.work)
    #expect(works.contains(.lookup) && works.contains(.decode))
    #expect(!works.contains(.queued) && !works.contains(.receiving))
    #expect(report.metrics.byteCount == kept.encoded?.bytes.count)
    let files = folder.files(in: "entries").map { String($0.dropFirst(3)) }
    let original = try #require(files.first { !$0.contains("-") })
    let result = try #require(files.first { $0.contains("-") })
    #expect(files.count == 2 && original.hasSuffix(".png") && result.hasSuffix(".png"))
    #expect(result.hasPrefix(original.dropLast(4) + "-"))
    // The plain image is not the result, and without the original it is fetched again.
    request.transforms = []
    #expect(try await fixture.pipeline.image(for: request).bitmap.width == 8)
  }

  @Test func `B196: of a transform that fails nothing is stored`() async throws {
    let fixture = try fixture()
    var request = request(fixture)
    request.transforms = [FailingTransform()]
    request.caching = .keepingResults
    await #expect(throws: LoadError.self) { try await fixture.pipeline.image(for: request) }
    #expect(fixture.cache.memory?.statistics.count == 0 && folder.files(in: "entries").isEmpty)
  }

  @Test func `R093: a transform's image is never the plain one's, nor the other way round`()
    async throws
  {
    let fixture = try fixture()
    var halved = request(fixture)
    halved.transforms = [Halved()]
    for _ in 0..<2 {
      #expect(try await fixture.pipeline.image(for: halved).bitmap.width == 4)
      #expect(try await fixture.pipeline.image(for: request(fixture)).bitmap.width == 8)
    }
  }

  @Test func `R090: a small image is not stored as the full one`() async throws {
    let fixture = try fixture()
    fixture.server.serve("/a.png", PipelineFixture.pngBytes(width: 200, height: 100))
    var small = request(fixture)
    small.decoding.targetSize = PixelSize(width: 50, height: 50)
    #expect(try await fixture.pipeline.image(for: small).bitmap.width < 200)
    #expect(try await fixture.pipeline.image(for: request(fixture)).bitmap.width == 200)
    fixture.cache.memory?.removeAll()
    #expect(try await fixture.pipeline.image(for: request(fixture)).bitmap.width == 200)
    let restarted = try PipelineFixture(disk: DiskCache(folder: folder.path))
    #expect(try await restarted.pipeline.image(for: request(fixture)).bitmap.width == 200)
  }

  @Test func `R095: forgetting a request forgets what was made of it, in every tier`() async throws
  {
    let fixture = try fixture()
    var halved = request(fixture)
    halved.transforms = [Halved()]
    halved.caching = .keepingResults
    halved.caching.waitsForStore = true
    _ = try await fixture.pipeline.image(for: halved)
    _ = try await fixture.pipeline.image(for: request(fixture))
    try await fixture.pipeline.forget(request(fixture))
    #expect(await fixture.pipeline.cachedTiers(of: halved) == [])
    #expect(await fixture.pipeline.cachedTiers(of: request(fixture)) == [])
    #expect(folder.files(in: "entries").isEmpty)
  }

  @Test func `B155 B156: rules and filters name what caches hold, and never what is asked`()
    async throws
  {
    let fixture = try fixture()
    let pipeline = pipeline(fixture) { $0.keyRules = KeyRules([.dropQueryItems(["token"])]) }
    for token in ["1", "2"] {
      var request = request(fixture)
      request.source = .url(
        request.source.url.appending(queryItems: [.init(name: "token", value: token)]))
      let origin = try await pipeline.image(for: request).origin
      #expect(origin == (token == "1" ? .network : .memory))
      #expect(pipeline.keys(for: request).original == fixture.server.url("/a.png").absoluteString)
    }
    #expect(fixture.server.counts.requests.map(\.target) == ["/a.png?token=1"])
    let filtered = self.pipeline(fixture) { $0.keyFilter = { _ in "mine" } }
    #expect(filtered.keys(for: request(fixture)).original == "mine")
    var named = request(fixture)
    named.key = "own"
    #expect(filtered.keys(for: named).original == "own")
  }

  @Test func `B159 B162: keeping by hand answers later loads, and asking tells the tiers`()
    async throws
  {
    let fixture = try fixture()
    let image = DecodedImage(
      bitmap: Bitmap(size: PixelSize(width: 3, height: 3), color: .clear), format: .png)
    #expect(await fixture.pipeline.cachedTiers(of: request(fixture)) == [])
    try await fixture.pipeline.keep(image, for: request(fixture))
    #expect(await fixture.pipeline.cachedTiers(of: request(fixture)) == .all)
    #expect(try await fixture.pipeline.image(for: request(fixture)).origin == .memory)
    fixture.cache.memory?.removeAll()
    // B160: disk alone.
    #expect(await fixture.pipeline.cachedTiers(of: request(fixture)) == .disk)
    #expect(try await fixture.pipeline.image(for: request(fixture)).bitmap.width == 3)
    #expect(fixture.server.counts.hits("/a.png") == 0)
  }

  @Test func `R052 R054: every address has an entry of its own, however long its name`()
    async throws
  {
    let fixture = try fixture()
    let long = "/" + String(repeating: "図", count: 60)
    let encoded = try #require(long.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed))
    for path in ["/a.png", encoded] {
      fixture.server.route(path) { exchange in
        let width = exchange.request.target.hasSuffix("x=1") ? 10 : 20
        exchange.respond(200, [:], PipelineFixture.pngBytes(width: width, height: 6))
      }
    }
    for path in ["/a.png?x=1", "/a.png?x=2", encoded + "?x=1"] {
      var request = ImageRequest(fixture.server.url(path))
      request.caching.waitsForStore = true
      let width = try await fixture.pipeline.image(for: request).bitmap.width
      fixture.cache.memory?.removeAll()
      let again = try await fixture.pipeline.image(for: request)
      #expect(width == (path.hasSuffix("1") ? 10 : 20))
      #expect(again.origin == .disk && again.bitmap.width == width)
    }
  }

  @Test func `keys that read the same and have other bytes are two pictures, in memory too`()
    async throws
  {
    let fixture = try fixture()
    fixture.server.serve("/composed.png", PipelineFixture.pngBytes(width: 10, height: 6))
    fixture.server.serve("/apart.png", PipelineFixture.pngBytes(width: 20, height: 6))
    var requests: [ImageRequest] = []
    for (name, key) in [("composed", "caf\u{e9}"), ("apart", "cafe\u{301}")] {
      var request = ImageRequest(fixture.server.url("/\(name).png"))
      request.key = key
      request.caching.waitsForStore = true
      requests.append(request)
    }
    for _ in 0..<2 {
      for (request, width) in zip(requests, [10, 20]) {
        #expect(try await fixture.pipeline.image(for: request).bitmap.width == width)
      }
    }
    #expect(fixture.cache.memory?.statistics.count == 2)
  }

  @Test func `R082: a damaged entry is fetched anew and repaired`() async throws {
    let fixture = try fixture()
    _ = try await fixture.pipeline.image(for: request(fixture))
    let path = try #require(fixture.cache.disk?.path(for: request(fixture).source.name))
    for damage in [Data(repeating: 7, count: 400), Data()] {
      try damage.write(to: URL(fileURLWithPath: path))
      fixture.cache.memory?.removeAll()
      #expect(try await fixture.pipeline.image(for: request(fixture)).origin == .network)
      fixture.cache.memory?.removeAll()
      #expect(try await fixture.pipeline.image(for: request(fixture)).origin == .disk)
    }
  }
}

extension ImageSource {
  fileprivate var url: URL {
    if case .url(let url) = self { return url }
    return URL(fileURLWithPath: "/")
  }
}

/// Halves, and counts how often.
private final class CountedTransform: ImageTransform {
  let key = "counted"
  private let times = Mutex(0)
  var count: Int { times.withLock { $0 } }

  func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    times.withLock { $0 += 1 }
    return try Halved().apply(to: bitmap, cancellation: cancellation)
  }
}

private struct FailingTransform: ImageTransform {
  let key = "failing"

  func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap { throw .failed(transform: key, reason: "it is told to") }
}
