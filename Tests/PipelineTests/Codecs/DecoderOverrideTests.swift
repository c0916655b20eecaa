import Pipeline
import TestSupport
import Testing

/// Other decoders for one load.
struct DecoderOverrideTests {
  /// Takes everything, and makes one pixel of it.
  private struct OnePixel: ImageDecoder {
    let format = ImageFormat(name: "Dot", fileExtension: "dot", mediaType: "image/x-dot")

    func accepts(prefix: [UInt8]) -> Bool { true }
    func makeSession(options: DecodingOptions) -> any DecodingSession { Session(format: format) }

    private final class Session: DecodingSession {
      let cancellation = CancellationFlag()
      private let format: ImageFormat
      init(format: ImageFormat) { self.format = format }

      func append(_ bytes: ImageBytes) throws(DecodeError) {}
      func preview() -> Bitmap? { nil }
      func finish() throws(DecodeError) -> DecodedImage {
        let pixel = Bitmap(
          size: PixelSize(width: 1, height: 1), color: Pixel(red: 9, green: 8, blue: 7))
        return DecodedImage(bitmap: pixel, format: format)
      }
    }
  }

  @Test func `one load is decoded by a decoder of its own, at the side of an ordinary one`()
    async throws
  {
    let server = try FaultServer()
    server.serve("/a.png", PipelineFixture.png)
    let request = ImageRequest(server.url("/a.png"))
    // Without a cache: what one has decoded would be the other's hit.
    let pipeline = ImagePipeline(configuration: .init(cache: nil))
    let other = pipeline.replacing { $0.decoders = $0.decoders.adding(OnePixel()) }
    async let dot = other.image(for: request)
    async let usual = pipeline.image(for: request)
    let images = try await (dot: dot.image, usual: usual.image)
    #expect(images.dot.format.name == "Dot" && images.dot.size == PixelSize(width: 1, height: 1))
    #expect(images.usual.format == .png && images.usual.size == PixelSize(width: 8, height: 6))
  }
}
