import Pipeline

/// Small pictures for transform tests.
enum Picture {
  /// A pixel at each place, by its column and row.
  static func make(
    _ width: Int, _ height: Int, hasAlpha: Bool = true, _ pixel: (Int, Int) -> Pixel
  ) -> Bitmap {
    Bitmap(size: PixelSize(width: width, height: height), hasAlpha: hasAlpha) { bytes in
      for y in 0..<height {
        for x in 0..<width {
          let value = pixel(x, y)
          let offset = (y * width + x) * 4
          bytes[offset] = value.red
          bytes[offset + 1] = value.green
          bytes[offset + 2] = value.blue
          bytes[offset + 3] = value.alpha
        }
      }
    }
  }

  /// Smooth and different everywhere, opaque.
  static func gradient(_ width: Int, _ height: Int) -> Bitmap {
    make(width, height, hasAlpha: false) { x, y in
      Pixel(
        red: UInt8(x * 255 / max(1, width - 1)), green: UInt8(y * 255 / max(1, height - 1)),
        blue: UInt8((x + y) % 256))
    }
  }

  static func gray(_ levels: [UInt8]) -> Bitmap {
    make(levels.count, 1, hasAlpha: false) { x, _ in
      Pixel(red: levels[x], green: levels[x], blue: levels[x])
    }
  }
}

extension ImageTransform {
  func apply(to bitmap: Bitmap) throws(TransformError) -> Bitmap {
    try apply(to: bitmap, cancellation: CancellationFlag())
  }
}

extension Bitmap {
  /// The red of each pixel in a row.
  func reds(row: Int = 0) -> [UInt8] { (0..<width).map { self[$0, row].red } }

  /// The alpha of each pixel in a row.
  func alphas(row: Int = 0) -> [UInt8] { (0..<width).map { self[$0, row].alpha } }
}
