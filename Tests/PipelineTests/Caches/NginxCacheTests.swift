import Foundation
import TestSupport
import Testing

@testable import Pipeline

/// The cache by the server's words against a real server, with its own validators and dates.
@Suite(.enabled(if: NginxServer.isAvailable), .timeLimit(.minutes(1)))
struct NginxCacheTests {
  @Test func `200, then a fresh hit, then 304, then what has changed`() async throws {
    let nginx = try NginxServer()
    let fixture = try HTTPCacheFixture()
    let file = URL(fileURLWithPath: nginx.file("root/cached/a.png"))
    try Data(PipelineFixture.png).write(to: file)
    var request = ImageRequest(nginx.http.appending(path: "cached/a.png"))
    request.caching = .http
    request.caching.waitsForStore = true

    let first = try await fixture.pipeline.image(for: request)
    let response = try #require(first.encoded?.response)
    for name in ["ETag", "Last-Modified", "Cache-Control", "Vary"] {
      #expect(response.header(name) != nil)
    }
    #expect(first.encoded?.verdict == .miss)
    #expect(await statuses(nginx, 1) == [200])

    fixture.pass(seconds: 59)
    fixture.cache.memory?.removeAll()
    #expect(try await fixture.pipeline.image(for: request).encoded?.verdict == .fresh)
    #expect(await statuses(nginx, 1) == [200])

    fixture.pass(seconds: 2)
    let confirmed = try await fixture.pipeline.image(for: request)
    #expect(confirmed.origin == .disk && confirmed.encoded?.verdict == .revalidated)
    #expect(await statuses(nginx, 2) == [200, 304])

    // Another choice of what Vary names is another picture to the cache, and the first stays.
    var dark = request
    dark.transfer.headers = [HeaderField(name: "X-Theme", value: "dark")]
    #expect(try await fixture.pipeline.image(for: dark).encoded?.verdict == .miss)
    #expect(await statuses(nginx, 3) == [200, 304, 200])

    try Data(PipelineFixture.pngBytes(width: 16, height: 6)).write(to: file)
    // The server's tag is made of seconds.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)], ofItemAtPath: file.path)
    fixture.cache.memory?.removeAll()
    #expect(try await fixture.pipeline.image(for: request).bitmap.width == 8)
    fixture.pass(seconds: 61)
    let changed = try await fixture.pipeline.image(for: request)
    #expect(changed.bitmap.width == 16 && changed.encoded?.verdict == .changed)
    #expect(await statuses(nginx, 4) == [200, 304, 200, 200])
  }

  /// The status of each request so far, what stands behind the quoted request line; waits for that
  /// many, as the server writes the line when the client has its answer already.
  private func statuses(_ nginx: NginxServer, _ count: Int) async -> [Int] {
    while !Task.isCancelled {
      let log = (try? String(contentsOfFile: nginx.file("cached.log"), encoding: .utf8)) ?? ""
      let lines = log.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      if lines.count >= count {
        return lines.compactMap { line in
          line.split(separator: "\"").dropFirst(2).first?.split(separator: " ").first
            .flatMap { Int($0) }
        }
      }
      await Task.yield()
    }
    return []
  }
}
