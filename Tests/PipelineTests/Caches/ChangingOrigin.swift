import Foundation
import Synchronization
import TestSupport

@testable import Pipeline

/// An address of a fault server whose picture, words on caching and trouble a test changes, and that
/// answers validators as a server should.
final class ChangingOrigin: Sendable {
  struct State {
    var bytes: [UInt8]
    var tag = "\"1\""
    var headers: [String: String]
    /// Answers with this in place of the picture.
    var trouble: Int?
    /// The tag that a 304 names, if another than the picture's.
    var confirmedTag: String?
  }

  let path: String
  private let state: Mutex<State>

  init(_ server: FaultServer, _ path: String = "/a.png", control: String, width: Int = 8) {
    self.path = path
    let bytes = PipelineFixture.pngBytes(width: width, height: 6)
    state = Mutex(State(bytes: bytes, headers: ["Cache-Control": control]))
    server.route(path) { [self] exchange in answer(exchange) }
  }

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  /// Another picture with another tag.
  func change(width: Int) {
    change {
      $0.bytes = PipelineFixture.pngBytes(width: width, height: 6)
      $0.tag = "\"\(width)\""
    }
  }

  private func answer(_ exchange: Exchange) {
    let state = self.state.withLock { $0 }
    if let trouble = state.trouble { return exchange.respond(trouble) }
    var headers = state.headers
    headers["ETag"] = state.tag
    if let asked = exchange.request.headers["if-none-match"],
      asked == state.tag || state.confirmedTag != nil
    {
      headers["ETag"] = state.confirmedTag ?? state.tag
      return exchange.respond(304, headers)
    }
    headers["Content-Type"] = "image/png"
    exchange.respond(200, headers, state.bytes)
  }
}

/// A pipeline by the server's words whose clock is moved by hand.
struct HTTPCacheFixture {
  let folder: TemporaryFolder
  let time: WallClock
  let base: PipelineFixture

  var server: FaultServer { base.server }
  var pipeline: ImagePipeline { base.pipeline }
  var cache: ImageCache { base.cache }

  init(folder: TemporaryFolder = TemporaryFolder(), time: WallClock = WallClock()) throws {
    self.folder = folder
    self.time = time
    var configuration = DiskCacheConfiguration()
    configuration.now = { time.now }
    base = try PipelineFixture(
      disk: DiskCache(folder: folder.path, configuration: configuration))
  }

  func pass(seconds: Int64) { time.advance(seconds * 1_000_000_000) }

  /// Asks for the origin's picture, and waits until it is stored.
  func request(
    _ origin: ChangingOrigin, _ policy: CachePolicy = .http, asking directive: String? = nil
  ) -> ImageRequest {
    var request = ImageRequest(server.url(origin.path))
    request.caching = policy
    request.caching.waitsForStore = true
    if let directive {
      request.transfer.headers = [HeaderField(name: "Cache-Control", value: directive)]
    }
    return request
  }

  func width(_ request: ImageRequest) async throws -> Int {
    try await pipeline.image(for: request).bitmap.width
  }

  /// The widths and origins of all images of a load, in order, and its error.
  func images(_ request: ImageRequest) async -> (images: [Seen], error: LoadError?) {
    var seen: [Seen] = []
    do {
      for try await event in pipeline.events(for: request) {
        guard case .image(let loaded) = event else { continue }
        seen.append(Seen(width: loaded.bitmap.width, origin: loaded.origin))
      }
    } catch {
      return (seen, error)
    }
    return (seen, nil)
  }

  struct Seen: Equatable {
    let width: Int
    let origin: ImageOrigin
  }
}
