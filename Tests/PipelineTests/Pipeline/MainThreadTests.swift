import Dispatch
import Flow
import Foundation
import Pipeline
import Synchronization
import TestSupport
import Testing

/// Code of the user's that traps on the main thread is never called there, however a load begins.
@MainActor @Suite(.timeLimit(.minutes(1))) struct MainThreadTests {
  /// Does what the PNG decoder does, and traps on main.
  private struct Strict: ImageDecoder {
    let format = ImageFormat.png
    let inner = PNGDecoder()

    func accepts(prefix: [UInt8]) -> Bool {
      dispatchPrecondition(condition: .notOnQueue(.main))
      return inner.accepts(prefix: prefix)
    }

    func makeSession(options: DecodingOptions) -> any DecodingSession {
      dispatchPrecondition(condition: .notOnQueue(.main))
      return Session(inner: inner.makeSession(options: options))
    }

    private final class Session: DecodingSession {
      let inner: any DecodingSession
      init(inner: any DecodingSession) { self.inner = inner }
      var cancellation: CancellationFlag { inner.cancellation }

      func append(_ bytes: ImageBytes) throws(DecodeError) {
        dispatchPrecondition(condition: .notOnQueue(.main))
        try inner.append(bytes)
      }

      func preview() -> Bitmap? {
        dispatchPrecondition(condition: .notOnQueue(.main))
        return inner.preview()
      }

      func finish() throws(DecodeError) -> DecodedImage {
        dispatchPrecondition(condition: .notOnQueue(.main))
        return try inner.finish()
      }
    }
  }

  private func pipeline() -> ImagePipeline {
    ImagePipeline(
      configuration: .init(decoders: DecoderRegistry.standard.adding(Strict())))
  }

  /// From bytes at hand, `data:` and a server: what comes at once, and what comes from elsewhere.
  private func requests(_ server: FaultServer) throws -> [ImageRequest] {
    let png = PipelineFixture.png
    server.serve("/a.png", png)
    let text = Data(png).base64EncodedString()
    let inline = try #require(URL(string: "data:image/png;base64,\(text)"))
    return [
      ImageRequest(.bytes(ImageBytes(png), key: "a")), ImageRequest(inline),
      ImageRequest(server.url("/a.png")),
      ImageRequest(.provider(ImageProvider(key: "b") { ImageBytes(png) })),
    ].map { $0.applying(.progressive) }
  }

  @Test func `a decoder that traps on main is called on workers, by each of the entries`()
    async throws
  {
    dispatchPrecondition(condition: .onQueue(.main))
    let fixture = try PipelineFixture()
    for request in try requests(fixture.server) {
      let pipeline = pipeline()
      #expect(try await pipeline.image(for: request).bitmap.width == 8)
      var count = 0
      for try await event in pipeline.events(for: request) {
        if case .image = event { count += 1 }
      }
      #expect(count == 1)
      let counter = LoadCounter()
      let task = counter.subscribe(to: pipeline.load(request))
      await counter.wait { $0.finished == 1 }
      #expect(counter.now.images == 1)
      #expect(try await pipeline.data(for: request).isComplete)
      withExtendedLifetime(task) {}
    }
  }

  @Test func `nor does a slot or a prefetcher of the main actor call it there`() async throws {
    let fixture = try PipelineFixture()
    let pipeline = pipeline()
    for request in try requests(fixture.server) {
      let slot = ImageSlot(pipeline)
      slot.show(request)
      for await content in slot.changes.values { if case .image = content { break } }
      #expect(slot.content.image?.size == PixelSize(width: 8, height: 6))
    }
    let prefetcher = Prefetcher(pipeline)
    let counts = await prefetcher.prefetch(requests: try requests(fixture.server).publisher).value
    #expect(counts.finished == 4 && counts.failed == 0)
  }
}
