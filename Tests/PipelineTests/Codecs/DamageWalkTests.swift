import Foundation
import Pipeline
import Testing

/// Cuts and damages every small picture everywhere: each outcome is fine but a crash, a hang, or a
/// whole picture out of half of the bytes.
@Suite(
  .enabled(if: CorpusManifest.folder != nil, "needs the image corpus: set IMAGE_CORPUS to it"))
struct DamageWalkTests {
  /// Files whose every byte is tried: those of up to 1 KiB, or of as many bytes as `DAMAGE_WALK`
  /// says.
  private static let small = CorpusManifest.files.filter { file in
    let limit = ProcessInfo.processInfo.environment["DAMAGE_WALK"].flatMap { Int($0) }
    return file.bytes <= limit ?? 1_024
  }

  @Test(arguments: small)
  func `every prefix of a file is an error or a picture`(_ file: CorpusManifest.File) throws {
    let bytes = try file.read()
    var options = Self.options
    for length in 0..<bytes.count {
      options.acceptsPartial = length % 2 == 0
      let image = decode(bytes.beginning(length), options)
      if options.acceptsPartial, let image, file.isPicture, length < bytes.count / 4 {
        #expect(!image.isComplete || image.format == .gif || image.format == .jpeg)
      }
    }
  }

  @Test(arguments: small)
  func `a flipped byte among the first 512 is an error or a picture`(
    _ file: CorpusManifest.File
  ) throws {
    let bytes = try file.read()
    let original = bytes.prefix(bytes.count)
    for index in 0..<min(512, original.count) {
      var damaged = original
      damaged[index] ^= 0xFF
      var options = Self.options
      options.acceptsPartial = index % 2 == 0
      decode(ImageBytes(damaged), options)
    }
  }

  /// Limits that keep a flipped size from costing the test its time.
  private static var options: DecodingOptions {
    var options = DecodingOptions()
    options.limits.pixels = 1_000_000
    return options
  }

  /// Decodes as a load would, with the first frames of an animation.
  @discardableResult
  private func decode(_ bytes: ImageBytes, _ options: DecodingOptions) -> DecodedImage? {
    guard let image = try? DecoderRegistry.standard.decode(bytes, options: options) else {
      return nil
    }
    for index in 0..<min(3, image.frameCount) { _ = try? image.animation?.frame(at: index) }
    return image
  }
}
