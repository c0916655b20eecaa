import Foundation
import Pipeline
import Testing

@testable import Demo

struct PictureServerTests {
  @Test func `pictures are served whole and counted`() async throws {
    let bytes = Array("any bytes at all".utf8)
    let picture = ServedPicture(bytes: bytes, mediaType: "image/png", parts: 5, pause: 0)
    let server = try PictureServer(["/a": picture])
    let loaded = try await ImagePipeline().data(for: ImageRequest(server.url("/a")))
    #expect(loaded.bytes == ImageBytes(bytes))
    #expect(loaded.response?.header("Content-Type") == "image/png")
    #expect(await server.wait(upTo: .seconds(20)) { $0.completed == ["/a": 1] })
    #expect(server.counts.allRequests == 1)
  }

  @Test func `what is not there is answered with 404`() async throws {
    let server = try PictureServer([:])
    let url = server.url("/a")
    await #expect(
      throws: LoadError.download(
        .refused(status: 404, retryAfter: nil), source: url.absoluteString)
    ) {
      try await ImagePipeline().image(for: url)
    }
    #expect(server.counts.requests == ["/a": 1])
  }

  @Test func `a client that leaves is noticed`() async throws {
    let picture = ServedPicture(
      bytes: Array(repeating: 1, count: 100_000), mediaType: "image/png", parts: 10_000, pause: 2)
    let server = try PictureServer(["/a": picture])
    let pipeline = ImagePipeline()
    for try await event in pipeline.events(for: ImageRequest(server.url("/a"))) {
      if case .progress(let progress) = event, progress.received > 0 { break }
    }
    #expect(await server.wait(upTo: .seconds(20)) { $0.abandoned == ["/a": 1] })
    #expect(server.counts.completed.isEmpty)
  }

  @Test func `a server may go while it answers`() async throws {
    // The header of a picture and the beginning of a remark: nothing to decode, and not yet damaged.
    let beginning: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0,
      1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0x1F, 0x15, 0xC4, 0x89, 0, 2, 0, 0, 0x70, 0x72, 0x56, 0x74,
    ]
    let picture = ServedPicture(
      bytes: beginning + Array(repeating: 1, count: 100_000), mediaType: "image/png",
      parts: 10_000, pause: 50)
    var server: PictureServer? = try PictureServer(["/a": picture])
    let url = try #require(server?.url("/a"))
    var failure: LoadError?
    do throws(LoadError) {
      for try await event in ImagePipeline().events(for: ImageRequest(url)) {
        if case .progress(let progress) = event, progress.received > 0 { server = nil }
      }
    } catch {
      failure = error
    }
    guard case .download(.incomplete, _) = failure else {
      Issue.record("ended with \(String(describing: failure))")
      return
    }
  }
}
