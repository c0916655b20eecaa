import CWebP
import Pipeline
import Testing

/// Animated WebPs frame by frame against libwebp's own player.
struct WebPPlayerTests {
  @Test func `sub frames, blended or not, disposed or not, are as libwebp plays them (R106)`()
    throws
  {
    var compared = 0
    for seed in 1...40 {
      let bytes = try Self.animation(seed: UInt64(seed))
      let animation = try #require(try DecoderRegistry.standard.decode(bytes).animation)
      let expected = try Self.played(bytes)
      #expect(expected.count == animation.frameCount)
      for (index, pixels) in expected.enumerated() {
        let frame = try animation.frame(at: index)
        let isEqual = frame.withUnsafeBytes { pixels.elementsEqual($0) }
        #expect(isEqual, "animation \(seed), frame \(index)")
        compared += 1
      }
    }
    #expect(compared == 240)
  }

  @Test(
    .enabled(if: CorpusManifest.folder != nil, "needs the image corpus: set IMAGE_CORPUS to it"),
    arguments: CorpusManifest.files.filter {
      $0.kind == "webp" && ($0.expected.frames ?? 1) > 1
    })
  func `animations of others are as libwebp plays them (R106)`(_ file: CorpusManifest.File) throws {
    let bytes = try file.read()
    var options = DecodingOptions()
    options.colors = .asStored
    let image = try DecoderRegistry.standard.decode(bytes, options: options)
    let animation = try #require(image.animation)
    for (index, pixels) in try Self.played(bytes).enumerated() {
      let frame = try animation.frame(at: index)
      let isEqual = frame.withUnsafeBytes { pixels.elementsEqual($0) }
      #expect(isEqual, "frame \(index)")
    }
  }

  /// Six frames of random places, some with holes and half-transparent pixels, lossy and not.
  private static func animation(seed: UInt64) throws -> ImageBytes {
    var random = SeededGenerator(seed: seed)
    let canvas = PixelSize(width: 32, height: 24)
    var body: [UInt8] = []
    for index in 0..<6 {
      let isWhole = index == 0 && seed % 2 == 0 || Int.random(in: 0..<4, using: &random) == 0
      let width = isWhole ? 32 : Int.random(in: 2...20, using: &random)
      let height = isWhole ? 24 : Int.random(in: 2...16, using: &random)
      let x = isWhole ? 0 : Int.random(in: 0...((32 - width) / 2), using: &random)
      let y = isWhole ? 0 : Int.random(in: 0...((24 - height) / 2), using: &random)
      let hasAlpha = Int.random(in: 0..<4, using: &random) > 0
      let noise = UInt64.random(in: 0...(.max), using: &random)
      let picture = Bitmap(size: PixelSize(width: width, height: height), hasAlpha: hasAlpha) {
        var grain = SeededGenerator(seed: noise)
        for start in stride(from: 0, to: $0.count, by: 4) {
          for channel in 0..<3 { $0[start + channel] = UInt8.random(in: 0...255, using: &grain) }
          let alphas: [UInt8] = [0, 255, 1, 128, UInt8.random(in: 0...255, using: &grain)]
          $0[start + 3] = hasAlpha ? alphas[Int.random(in: 0..<5, using: &grain)] : 255
        }
      }
      let isLossy = Int.random(in: 0..<3, using: &random) == 0
      let still = try WebPEncoder(
        compression: isLossy ? .lossy(quality: 60) : .lossless, effort: 0
      ).encode(picture)
      var frame = little(x, 3) + little(y, 3) + little(width - 1, 3) + little(height - 1, 3)
      frame += little(40, 3) + [UInt8.random(in: 0...3, using: &random)]
      body += chunk("ANMF", frame + pictureChunks(of: still.prefix(still.count)))
    }
    let header = [0x12, 0, 0, 0] + little(canvas.width - 1, 3) + little(canvas.height - 1, 3)
    let chunks =
      Array("WEBP".utf8) + chunk("VP8X", header) + chunk("ANIM", [0, 0, 0, 0, 0, 0]) + body
    return ImageBytes(chunk("RIFF", chunks))
  }

  /// The chunks of a still picture that hold pixels.
  private static func pictureChunks(of file: [UInt8]) -> [UInt8] {
    var (offset, result): (Int, [UInt8]) = (12, [])
    while offset + 8 <= file.count {
      let length = (0..<4).reduce(0) { $0 | Int(file[offset + 4 + $1]) << (8 * $1) }
      let end = offset + 8 + length + length % 2
      let name = String(decoding: file[offset..<(offset + 4)], as: UTF8.self)
      if ["ALPH", "VP8 ", "VP8L"].contains(name) { result += file[offset..<end] }
      offset = end
    }
    return result
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// All frames, as libwebp's player composes them.
  private static func played(_ bytes: ImageBytes) throws -> [[UInt8]] {
    let file = bytes.prefix(bytes.count)
    return try file.withUnsafeBufferPointer { buffer in
      var options = WebPAnimDecoderOptions()
      #expect(WebPAnimDecoderOptionsInit(&options) != 0)
      options.color_mode = MODE_RGBA
      var data = WebPData(bytes: buffer.baseAddress, size: buffer.count)
      let player = try #require(WebPAnimDecoderNew(&data, &options))
      defer { WebPAnimDecoderDelete(player) }
      var info = WebPAnimInfo()
      #expect(WebPAnimDecoderGetInfo(player, &info) != 0)
      var frames: [[UInt8]] = []
      while WebPAnimDecoderHasMoreFrames(player) != 0 {
        var pixels: UnsafeMutablePointer<UInt8>?
        var time: Int32 = 0
        #expect(WebPAnimDecoderGetNext(player, &pixels, &time) != 0)
        let count = Int(info.canvas_width * info.canvas_height) * 4
        frames.append(Array(UnsafeBufferPointer(start: pixels, count: count)))
      }
      return frames
    }
  }
}
