import Pipeline

/// Pictures made here, for tests that need no corpus.
enum CodecFixtures {
  /// A picture with smooth colours, edges and, if asked for, holes.
  static func picture(width: Int, height: Int, hasAlpha: Bool = false, shift: Int = 0) -> Bitmap {
    Bitmap(size: PixelSize(width: width, height: height), hasAlpha: hasAlpha) { bytes in
      for y in 0..<height {
        for x in 0..<width {
          let start = (y * width + x) * 4
          let isInside = (x + shift) / 8 % 2 == y / 8 % 2
          bytes[start] = UInt8((x + shift) * 255 / max(1, width + shift))
          bytes[start + 1] = UInt8(y * 255 / height)
          bytes[start + 2] = isInside ? 200 : 40
          bytes[start + 3] = hasAlpha && x > width / 2 ? (isInside ? 255 : 0) : 255
        }
      }
    }
  }

  /// An animation of `count` frames, each with another delay.
  static func animation(
    count: Int, size: PixelSize, loopCount: Int = 0, format: ImageFormat = .gif
  ) -> DecodedImage {
    let frames = (0..<count).map { index in
      picture(width: size.width, height: size.height, shift: index * 3)
    }
    let animation = Animation(
      delays: (0..<count).map { .milliseconds(10 * ($0 + 1)) }, loopCount: loopCount,
      residentByteCount: frames[0].byteCount * count
    ) { index in frames[index] }
    return DecodedImage(bitmap: frames[0], animation: animation, format: format)
  }

  /// The encoders, by name, and the largest mean difference that a picture comes back with.
  static let encoders: [(name: String, encoder: any ImageEncoder, meanError: Double)] = [
    ("PNG", PNGEncoder(), 0), ("PNG without palette", PNGEncoder(usesPalette: false), 0),
    ("WebP lossless", WebPEncoder(compression: .lossless), 0),
    ("WebP lossy", WebPEncoder(compression: .lossy(quality: 90)), 6),
    ("JPEG", JPEGEncoder(quality: 92, subsampling: .none), 3),
    ("JPEG progressive", JPEGEncoder(quality: 92, isProgressive: true, subsampling: .none), 3),
    ("GIF", GIFEncoder(), 6),
  ]

  /// Mean difference of the colours of two pictures of one size, in levels.
  static func meanDifference(_ left: Bitmap, _ right: Bitmap) -> Double {
    let sum = left.withUnsafeBytes { a in
      right.withUnsafeBytes { b in
        zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      }
    }
    return Double(sum) / Double(left.byteCount)
  }
}
