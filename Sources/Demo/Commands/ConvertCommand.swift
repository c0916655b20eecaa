import Foundation
import Pipeline

/// `demo convert`: loads one image and writes it in the format that the output's name asks for,
/// animations with all their frames where that format has any.
struct ConvertCommand {
  private let options: ConvertOptions
  private let console: Console

  init(_ options: ConvertOptions, _ console: Console) {
    self.options = options
    self.console = console
  }

  /// Loads, resizes, encodes, writes.
  func run() async -> ExitCode {
    do {
      let pipeline = ImagePipeline(configuration: .init(cache: nil))
      let loaded = try await pipeline.image(for: request)
      let image = try resized(loaded.image)
      let encoder = encoder(for: image)
      let bytes = try encoder.encode(image)
      let target = URL(fileURLWithPath: options.output)
      let folder = try OutputFolder(target.deletingLastPathComponent().path)
      _ = try folder.write(bytes.prefix(bytes.count), named: target.lastPathComponent)
      let count = image.frameCount
      let frames = count > 1 ? ", \(encoder.format == .jpeg ? "first of " : "")\(count) frames" : ""
      console.write(
        "\(options.output): \(encoder.format) \(image.size)\(frames), "
          + "\(Figures.bytes(bytes.count))\n")
      return .success
    } catch {
      console.writeError("demo: \(error)\n")
      return .failure
    }
  }

  /// The decoder shrinks what is much larger than asked for, and leaves enough to the resize.
  private var request: ImageRequest {
    var request = ImageRequest(SourceArgument.url(options.input))
    if let size = options.resize, size.width < 10_000, size.height < 10_000 {
      // A third more, so that there is something left to weigh.
      request.decoding.targetSize = PixelSize(
        width: size.width * 4 / 3, height: size.height * 4 / 3)
    }
    return request
  }

  /// By the output's extension; by what the image needs where that says nothing.
  private func encoder(for image: DecodedImage) -> any ImageEncoder {
    switch URL(fileURLWithPath: options.output).pathExtension.lowercased() {
    case "jpg", "jpeg": JPEGEncoder(quality: options.quality ?? 85)
    case "png": PNGEncoder()
    case "gif": GIFEncoder()
    case "webp":
      WebPEncoder(compression: options.quality.map { .lossy(quality: $0) } ?? .lossy(quality: 80))
    default: image.suitableEncoder
    }
  }

  private func resized(_ image: DecodedImage) throws(TransformError) -> DecodedImage {
    guard let size = options.resize else { return image }
    let resize: any ImageTransform = .resize(
      fitting: PixelSize(width: size.width, height: size.height))
    let bitmap = try resize.apply(to: image.bitmap, cancellation: CancellationFlag())
    let animation = image.animation.map { frames in
      Animation(
        delays: frames.delays, loopCount: frames.loopCount, residentByteCount: bitmap.byteCount
      ) { index throws(DecodeError) in
        let frame = try frames.frame(at: index)
        do throws(TransformError) {
          return try resize.apply(to: frame, cancellation: CancellationFlag())
        } catch {
          throw .corrupt(image.format, reason: "\(error)")
        }
      }
    }
    return DecodedImage(
      bitmap: bitmap, animation: animation, format: image.format, orientation: image.orientation)
  }
}
