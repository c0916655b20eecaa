import Pipeline

/// Pixels to draw on, with smooth edges: straight alpha, top row first.
struct Canvas {
  /// Pixels in a row.
  let width: Int
  /// Rows.
  let height: Int
  private var pixels: [UInt8]

  /// A canvas of one colour; transparent unless told otherwise.
  init(width: Int, height: Int, _ background: Color = Color(0, alpha: 0)) {
    self.width = width
    self.height = height
    pixels = []
    pixels.reserveCapacity(width * height * 4)
    let pixel = [background.red, background.green, background.blue, background.alpha]
      .map { UInt8($0 * 255 + 0.5) }
    for _ in 0..<(width * height) { pixels += pixel }
  }

  /// What was drawn.
  var bitmap: Bitmap {
    Bitmap(size: PixelSize(width: width, height: height)) { bytes in
      bytes.copyBytes(from: pixels)
    }
  }

  /// Lays `color` over the pixel; outside the canvas nothing happens.
  mutating func blend(_ color: Color, x: Int, y: Int) {
    guard x >= 0, y >= 0, x < width, y < height, color.alpha > 0 else { return }
    let offset = (y * width + x) * 4
    let below = Float(pixels[offset + 3]) / 255 * (1 - color.alpha)
    let alpha = color.alpha + below
    let share = color.alpha / alpha
    pixels[offset] = Self.mix(pixels[offset], color.red, share)
    pixels[offset + 1] = Self.mix(pixels[offset + 1], color.green, share)
    pixels[offset + 2] = Self.mix(pixels[offset + 2], color.blue, share)
    pixels[offset + 3] = UInt8(alpha * 255 + 0.5)
  }

  private static func mix(_ below: UInt8, _ above: Float, _ share: Float) -> UInt8 {
    let old = Float(below)
    return UInt8(min(255, max(0, old + (above * 255 - old) * share + 0.5)))
  }

  /// Lays a picture over the canvas, its top left corner at `x`, `y`.
  mutating func draw(_ picture: Bitmap, x left: Int, y top: Int) {
    picture.withUnsafeBytes { bytes in
      var offset = 0
      for y in 0..<picture.height {
        for x in 0..<picture.width {
          var color = Color(
            Int(bytes[offset]) << 16 | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2]))
          color.alpha = Float(bytes[offset + 3]) / 255
          blend(color, x: left + x, y: top + y)
          offset += 4
        }
      }
    }
  }
}
