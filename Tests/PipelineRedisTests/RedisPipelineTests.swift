import Flow
import Foundation
import Pipeline
import PipelineRedis
import TestSupport
import Testing

/// Whole loads through a shared tier.
@Suite(.enabled(if: RedisServer.isAvailable), .timeLimit(.minutes(1)))
struct RedisPipelineTests {
  private let redis: RedisServer
  private let server: FaultServer
  private let png: [UInt8]

  init() throws {
    redis = try RedisServer()
    server = try FaultServer()
    let bitmap = Bitmap(size: PixelSize(width: 8, height: 6), color: .clear)
    let bytes = try PNGEncoder().encode(bitmap)
    png = bytes.prefix(bytes.count)
  }

  private func pipeline(_ timeout: Duration = .seconds(5)) -> ImagePipeline {
    var configuration = RedisConfiguration()
    configuration.port = Int(redis.port)
    configuration.timeout = timeout
    configuration.pauseAfterFailure = .zero
    let cache = ImageCache(memory: nil, disk: nil, further: [RedisTier(configuration)])
    return ImagePipeline(configuration: .init(cache: cache))
  }

  private var request: ImageRequest {
    var request = ImageRequest(server.url("/a.png"))
    request.caching.waitsForStore = true
    return request
  }

  /// Serves the picture once the gate opens.
  private func serve(behind gate: Gate) {
    server.route("/a.png") { [png] exchange in
      guard exchange.hold(until: gate) else { return }
      exchange.respond(200, [:], png)
    }
  }

  @Test func `two processes that want the same at once fetch it once`() async throws {
    let gate = Gate()
    serve(behind: gate)
    async let first = origin(ofProcessLoading: "/a.png")
    async let second = origin(ofProcessLoading: "/a.png")
    try await server.wait { $0.hits("/a.png") == 1 }
    gate.open()
    let origins = try await [first, second].sorted()
    #expect(origins == ["disk", "network"])
    #expect(server.counts.hits("/a.png") == 1)
  }

  @Test func `who waits fetches himself when the other one gives up`() async throws {
    let gate = Gate()
    serve(behind: gate)
    let load = pipeline().load(request).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    try await server.wait { $0.hits("/a.png") == 1 }
    async let waiting = pipeline().image(for: request)
    load.cancel()
    try await server.wait { $0.hits("/a.png") == 2 }
    gate.open()
    #expect(try await waiting.origin == .network)
  }

  @Test func `a server killed in the middle costs nothing but its hits, and serves when back`()
    async throws
  {
    let gate = Gate()
    serve(behind: gate)
    let pipeline = pipeline()
    async let first = pipeline.image(for: request)
    try await server.wait { $0.hits("/a.png") == 1 }
    redis.kill()
    gate.open()
    #expect(try await first.origin == .network)
    #expect(try await pipeline.image(for: request).origin == .network)
    try redis.restart()
    #expect(try await pipeline.image(for: request).origin == .network)
    #expect(try await pipeline.image(for: request).origin == .disk)
    #expect(server.counts.hits("/a.png") == 3)
  }

  @Test func `a server that does not answer delays a load by its timeouts only`() async throws {
    server.serve("/a.png", png)
    redis.halt()
    #expect(try await pipeline(.milliseconds(50)).image(for: request).origin == .network)
    redis.goOn()
  }

  @Test func `what a further tier has is copied to the disk before it`() async throws {
    server.serve("/a.png", png)
    _ = try await pipeline().image(for: request)
    let folder = FileManager.default.temporaryDirectory.path + "/redis-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var configuration = RedisConfiguration()
    configuration.port = Int(redis.port)
    configuration.timeout = .seconds(5)
    let disk = try DiskCache(folder: folder)
    let cache = ImageCache(memory: nil, disk: disk, further: [RedisTier(configuration)])
    let pipeline = ImagePipeline(configuration: .init(cache: cache))
    #expect(try await pipeline.image(for: request).origin == .disk)
    #expect(try disk.entry(for: request.source.name)?.bytes == ImageBytes(png))
    #expect(server.counts.hits("/a.png") == 1)
  }

  /// Runs the program beside the tests to its end, and gives what it says.
  private func origin(ofProcessLoading path: String) async throws -> String {
    let process = Process()
    process.executableURL = try program
    process.arguments = ["\(redis.port)", server.url(path).absoluteString]
    let output = Pipe()
    process.standardOutput = output
    return try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { _ in
        let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        let text = String(decoding: data, as: UTF8.self)
        continuation.resume(returning: text.trimmingCharacters(in: .newlines))
      }
      do { try process.run() } catch {
        process.terminationHandler = nil
        continuation.resume(throwing: error)
      }
    }
  }

  private var program: URL {
    get throws {
      let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
      return try #require(
        (bundles + [URL(fileURLWithPath: CommandLine.arguments[0])])
          .map { $0.deletingLastPathComponent().appendingPathComponent("RedisLoad") }
          .first { FileManager.default.isExecutableFile(atPath: $0.path) })
    }
  }
}
