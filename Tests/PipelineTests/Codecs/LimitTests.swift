import Foundation
import Pipeline
import Testing

/// What is refused, or kept small, before memory is reserved.
struct LimitTests {
  private static let picture = CodecFixtures.picture(width: 60, height: 40)

  private func error(_ bytes: ImageBytes, _ change: (inout DecodingLimits) -> Void) -> DecodeError?
  {
    var options = DecodingOptions()
    change(&options.limits)
    do throws(DecodeError) {
      _ = try DecoderRegistry.standard.decode(bytes, options: options)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: CodecFixtures.encoders.indices)
  func `each limit has its error, in every format, and can be set`(_ index: Int) throws {
    let (_, encoder, _) = CodecFixtures.encoders[index]
    let bytes = try encoder.encode(Self.picture)
    let size = Self.picture.size
    #expect(error(bytes) { $0.pixels = 2_399 } == .tooLarge(size, limit: "2399 pixels"))
    #expect(error(bytes) { $0.pixels = 2_400 } == nil)
  }

  @Test func `frames and the pixels of all frames are limited`() throws {
    let animated = CodecFixtures.animation(count: 5, size: Self.picture.size)
    for bytes in [
      try GIFEncoder().encode(animated), try PNGEncoder().encode(animated),
      try WebPEncoder(compression: .lossless, effort: 0).encode(animated),
    ] {
      let tooMany = error(bytes) { $0.frames = 4 }
      #expect(tooMany == .tooManyFrames(5, limit: 4))
      let tooLarge = error(bytes) { $0.framePixels = 5 * 2_400 - 1 }
      guard case .tooLarge(Self.picture.size, limit: _) = tooLarge else {
        Issue.record("\(String(describing: tooLarge))")
        continue
      }
      #expect(
        error(bytes) { limits in
          limits.frames = 5
          limits.framePixels = 5 * 2_400
        } == nil)
    }
  }

  @Test func `metadata is limited`() throws {
    let exif = ImageBytes(
      EncoderTests.exif(orientation: 1) + Array(repeating: UInt8(0), count: 5_000))
    let metadata = ImageMetadata(exif: exif)
    let comment: [UInt8] =
      [0x21, 0xFE]
      + (0..<20).flatMap { _ in [255] + Array(repeating: UInt8(9), count: 255) } + [0]
    for (format, bytes) in [
      (ImageFormat.jpeg, try JPEGEncoder(metadata: metadata).encode(Self.picture)),
      (.png, try PNGEncoder(metadata: metadata).encode(Self.picture)),
      (.webp, try WebPEncoder(metadata: metadata).encode(Self.picture)),
      (.gif, HandmadeFiles.gif([HandmadeFiles.Frame()], extensions: comment)),
    ] {
      let refused = error(bytes) { $0.ancillaryBytes = 4_000 }
      #expect(refused == .tooMuchMetadata(format, limit: 4_000))
      #expect(error(bytes) { $0.ancillaryBytes = 8_000 } == nil)
    }
  }

  @Test(.enabled(if: MemoryPeak.isMeasurable, "needs /proc, and no sanitizer"))
  func `a hundred megapixels shrink in the memory of the result and a few rows`() throws {
    let side = 10_000
    var options = DecodingOptions()
    options.targetSize = PixelSize(width: 200, height: 200)
    for (bytes, limit) in [
      // What a whole picture would need is 400 MB.
      (HandmadeFiles.grayJPEG(width: side, height: side), 24 << 20),
      (HandmadeFiles.stripedPNG(width: side, height: side), 8 << 20),
    ] {
      var image: DecodedImage?
      let peak = try MemoryPeak.during {
        image = try DecoderRegistry.standard.decode(bytes, options: options)
      }
      #expect(peak < limit, "\(peak >> 10) KiB")
      let size = try #require(image).size
      #expect(size.width >= 200 && size.width <= 1_250)
      // The stripes are as wide as before, in proportion.
      if image?.format == .png {
        #expect(image?.bitmap[25, 100].red == 255 && image?.bitmap[75, 199].red == 0)
      }
    }
  }
}

/// How far a piece of work raises the memory of the process.
enum MemoryPeak {
  /// Whether the kernel tells, and nothing else multiplies memory.
  static let isMeasurable: Bool = {
    let sanitizers: [UnsafeMutableRawPointer?] = ["__asan_init", "__tsan_init"].map { name in
      dlsym(nil, name as String)
    }
    return sanitizers.allSatisfy { $0 == nil }
      && FileManager.default.fileExists(
        atPath: "/proc/self/clear_refs")
  }()

  /// Bytes.
  static func during(_ body: () throws -> Void) throws -> Int {
    // Sets the peak to what is resident now.
    try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    let before = try value("VmHWM")
    try body()
    return (try value("VmHWM") - before) << 10
  }

  private static func value(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return Int(line?.filter(\.isNumber) ?? "") ?? 0
  }
}
