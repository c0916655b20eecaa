import Flow
import Foundation
import Pipeline
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct HookTests {
  private struct Patient: LoadInterceptor {
    let instead: URL

    func load(_ request: ImageRequest, next: @escaping Next) -> AnyPublisher<LoadEvent, LoadError> {
      let instead = ImageRequest(instead)
      return next(request).catch { _ in next(instead) }.eraseToAnyPublisher()
    }
  }

  @Test func `B175: what may not be downloaded fails without a request, what is cached comes`()
    async throws
  {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let pipeline = fixture.pipeline.replacing {
      $0.hooks.mayDownload = { !$0.source.name.hasSuffix("a.png") }
    }
    let url = fixture.server.url("/a.png")
    let error = LoadError.download(.notAllowed, source: url.absoluteString)
    await #expect(throws: error) { try await pipeline.image(for: url) }
    await #expect(throws: error) { try await pipeline.data(for: ImageRequest(url)) }
    #expect(fixture.server.counts.hits("/a.png") == 0)
    _ = try await fixture.pipeline.image(for: url)
    #expect(try await pipeline.image(for: url).origin == .memory)
  }

  @Test func `options can be rewritten by address, before memory is asked`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let pipeline = fixture.pipeline.replacing {
      $0.hooks.rewrite = { request in
        var request = request
        request.transforms = [Halved()]
        return request
      }
    }
    let url = fixture.server.url("/a.png")
    for origin in [ImageOrigin.network, .memory] {
      let loaded = try await pipeline.image(for: url)
      #expect(loaded.origin == origin && loaded.bitmap.width == 4)
    }
    #expect(pipeline.imageInMemory(for: ImageRequest(url))?.bitmap.width == 4)
  }

  @Test func `an interceptor stands around a load, and may load something else`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/spare.png", PipelineFixture.png)
    let pipeline = fixture.pipeline.replacing {
      $0.hooks.interceptors = [Patient(instead: fixture.server.url("/spare.png"))]
    }
    let loaded = try await pipeline.image(for: fixture.server.url("/gone.png"))
    #expect(loaded.request.source.name == fixture.server.url("/spare.png").absoluteString)
    #expect(fixture.server.counts.hits("/gone.png") == 1)
  }

  @Test func `of several interceptors the first is the outermost`() async throws {
    struct Naming: LoadInterceptor {
      let name: String
      func load(
        _ request: ImageRequest, next: @escaping Next
      ) -> AnyPublisher<LoadEvent, LoadError> {
        var request = request
        request.key = (request.key ?? "") + name
        return next(request)
      }
    }
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let pipeline = fixture.pipeline.replacing {
      $0.hooks.interceptors = [Naming(name: "a"), Naming(name: "b")]
    }
    let loaded = try await pipeline.image(for: fixture.server.url("/a.png"))
    #expect(loaded.request.key == "ab")
  }

  @Test func `presets are applied in order, and what a later one says holds`() {
    let url = URL(fileURLWithPath: "/a.png")
    let size = PixelSize(width: 10, height: 10)
    let request = ImageRequest(url).applying(.thumbnail(size), .background, .urgent, .offline)
    #expect(request.priority == .veryHigh)
    #expect(request.decoding.targetSize == size && request.transforms.count == 1)
    #expect(request.caching == .cacheOnly)
  }
}
