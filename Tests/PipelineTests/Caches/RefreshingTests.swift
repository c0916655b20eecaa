import Foundation
import TestSupport
import Testing

@testable import Pipeline

/// Images that are shown from the cache while their server is asked, and images shown in its place.
@Suite(.timeLimit(.minutes(1))) struct RefreshingTests {
  private typealias Seen = HTTPCacheFixture.Seen

  @Test(arguments: [true, false])
  func `R030 B177: the stored image comes at once, the changed one behind it`(inMemory: Bool)
    async throws
  {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    _ = try await fixture.width(fixture.request(origin))
    if !inMemory { fixture.cache.memory?.removeAll() }
    origin.change(width: 16)
    fixture.pass(seconds: 61)
    let gate = Gate()
    fixture.server.route("/a.png") { exchange in
      guard exchange.hold(until: gate) else { return }
      exchange.respond(
        200, ["Cache-Control": "max-age=60"], PipelineFixture.pngBytes(width: 16, height: 6))
    }
    var seen: [Seen] = []
    var progressCount = 0
    for try await event in fixture.pipeline.events(for: fixture.request(origin, .refreshing)) {
      switch event {
      case .image(let loaded):
        seen.append(Seen(width: loaded.bitmap.width, origin: loaded.origin))
        gate.open()
      case .progress, .preview: progressCount += 1
      case .request, .encoded: break
      }
    }
    #expect(
      seen == [
        Seen(width: 8, origin: inMemory ? .memory : .disk), Seen(width: 16, origin: .network),
      ])
    // B180: what is on its way does not show over what is there.
    #expect(progressCount == 0)
    let plain = try await fixture.pipeline.image(for: fixture.request(origin, CachePolicy()))
    #expect(plain.origin == .memory && plain.bitmap.width == 16)
  }

  @Test(arguments: [true, false])
  func `B112 B182: fresh is not asked for, and what holds comes once`(inMemory: Bool) async throws {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    let request = fixture.request(origin, .refreshing)
    let stored = [Seen(width: 8, origin: inMemory ? .memory : .disk)]
    // B111: the first load stores and shows.
    #expect(await fixture.images(request).images == [Seen(width: 8, origin: .network)])
    for (seconds, hits) in [(Int64(30), 1), (61, 2)] {
      if !inMemory { fixture.cache.memory?.removeAll() }
      fixture.pass(seconds: seconds)
      let outcome = await fixture.images(request)
      #expect(outcome.images == stored && outcome.error == nil)
      #expect(fixture.server.counts.hits("/a.png") == hits)
    }
    // The same bytes again, under another tag: nothing to show either, and fresh from then on.
    origin.change { $0.tag = "\"2\"" }
    fixture.pass(seconds: 61)
    #expect(await fixture.images(request).images.count == 1)
    #expect(await fixture.images(request).images.count == 1)
    #expect(fixture.server.counts.hits("/a.png") == 3)
  }

  @Test func `B113: one that is stale and not stored any more is fetched like the first time`()
    async throws
  {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    let request = fixture.request(origin, .refreshing)
    _ = try await fixture.width(request)
    try fixture.cache.removeAll()
    fixture.pass(seconds: 61)
    #expect(await fixture.images(request).images == [Seen(width: 8, origin: .network)])
  }

  @Test func `B178: without the network the stored image comes once`() async throws {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    var request = fixture.request(origin, .refreshing)
    _ = try await fixture.width(request)
    fixture.pass(seconds: 600)
    request.caching.allowsNetwork = false
    #expect(await fixture.images(request).images == [Seen(width: 8, origin: .memory)])
    fixture.cache.memory?.removeAll()
    #expect(await fixture.images(request).images == [Seen(width: 8, origin: .disk)])
    #expect(fixture.server.counts.hits("/a.png") == 1)
  }

  @Test func `an image that only memory has is shown, and a different one behind it`() async throws
  {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    let request = fixture.request(origin, .refreshing)
    _ = try await fixture.width(request)
    fixture.cache.disk?.remove(request.source.name)
    #expect(await fixture.images(request).images == [Seen(width: 8, origin: .memory)])
    fixture.cache.disk?.remove(request.source.name)
    origin.change(width: 16)
    #expect(
      await fixture.images(request).images == [
        Seen(width: 8, origin: .memory), Seen(width: 16, origin: .network),
      ])
  }

  @Test func `a server that can not be asked ends the load with its error, after the image`()
    async throws
  {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60")
    let request = fixture.request(origin, .refreshing)
    _ = try await fixture.width(request)
    fixture.pass(seconds: 61)
    origin.change { $0.trouble = 503 }
    let outcome = await fixture.images(request)
    #expect(outcome.images == [Seen(width: 8, origin: .memory)])
    #expect(
      outcome.error
        == .download(.refused(status: 503, retryAfter: nil), source: request.source.name))
    // Who waits for one image gets the one there is.
    #expect(try await fixture.pipeline.image(for: request).origin == .memory)
  }

  @Test func `RFC 5861 3: stale is delivered at once while its server is asked behind it`()
    async throws
  {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(
      fixture.server, control: "max-age=60, stale-while-revalidate=60")
    let request = fixture.request(origin)
    _ = try await fixture.width(request)
    origin.change(width: 16)
    fixture.pass(seconds: 90)
    let stale = try await fixture.pipeline.image(for: request)
    #expect(stale.bitmap.width == 8 && stale.encoded?.verdict == .stale)
    let wanted = PipelineFixture.pngBytes(width: 16, height: 6)
    while try fixture.cache.diskEntry(forKey: request.source.name)?.bytes != ImageBytes(wanted) {
      await Task.yield()
    }
    let fresh = try await fixture.pipeline.image(for: request)
    #expect(fresh.bitmap.width == 16 && fresh.encoded?.verdict == .fresh)
    #expect(fixture.server.counts.hits("/a.png") == 2)
  }

  @Test(arguments: [503, 404])
  func `RFC 5861 4: stale takes the place of trouble within its window, and of nothing else`(
    status: Int
  ) async throws {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60, stale-if-error=60")
    let request = fixture.request(origin)
    _ = try await fixture.width(request)
    origin.change { $0.trouble = status }
    fixture.pass(seconds: 90)
    let outcome = await fixture.images(request)
    #expect(outcome.images == (status == 503 ? [Seen(width: 8, origin: .disk)] : []))
    fixture.pass(seconds: 60)
    #expect(await fixture.images(request).images.isEmpty)
  }

  @Test func `4.2.4: must-revalidate is not served stale, whatever the trouble`() async throws {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(
      fixture.server, control: "max-age=60, must-revalidate, stale-if-error=600")
    let request = fixture.request(origin)
    _ = try await fixture.width(request)
    fixture.pass(seconds: 61)
    fixture.server.stop()
    let outcome = await fixture.images(request)
    #expect(outcome.images.isEmpty && outcome.error != nil)
  }

  @Test func `a server that is gone leaves the stale image within stale-if-error`() async throws {
    let fixture = try HTTPCacheFixture()
    let origin = ChangingOrigin(fixture.server, control: "max-age=60, stale-if-error=600")
    let request = fixture.request(origin)
    _ = try await fixture.width(request)
    fixture.pass(seconds: 61)
    fixture.server.stop()
    let loaded = try await fixture.pipeline.image(for: request)
    #expect(loaded.origin == .disk && loaded.encoded?.verdict == .stale)
  }
}
