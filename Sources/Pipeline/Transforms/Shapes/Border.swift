/// Draws a line of one colour along the inner edge, round at rounded corners.
public struct Border: ImageTransform, Hashable {
  /// Width of the line, in pixels.
  public var width: Double
  /// Its colour.
  public var color: Pixel
  /// Radius of the corners it follows; give that of the rounded corners before it.
  public var radius: Double

  /// Draws a line.
  public init(width: Double, color: Pixel, radius: Double = 0) {
    self.width = width
    self.color = color
    self.radius = radius
  }

  /// Width, colour and radius; empty when nothing is drawn.
  public var key: String {
    width == 0 || color.alpha == 0 ? "" : "border(\(width),\(color.keyPart),\(radius))"
  }

  /// The picture with its line; a line wider than the picture covers it.
  ///
  /// - Throws: `.invalidParameter` for a width or radius that is negative or not a number.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    let limits = 0...Double.infinity
    try TransformLimits.check(width, in: limits, name: "width", transform: "border")
    try TransformLimits.check(radius, in: limits, name: "radius", transform: "border")
    guard !key.isEmpty else { return bitmap }
    let shape = RoundedRectangle(size: bitmap.size, radius: radius)
    let inner = min(width, Double(max(bitmap.width, bitmap.height)))
    return bitmap.changed(hasAlpha: bitmap.hasAlpha || radius > 0) { pixels in
      withUnsafeBytes(of: color) { line in
        for y in 0..<bitmap.height {
          let isFar = Double(y) > inner + 1 && Double(bitmap.height - 1 - y) > inner + 1
          var x = 0
          while x < bitmap.width {
            let depth = shape.depth(x: Double(x) + 0.5, y: Double(y) + 0.5)
            // Within the line up to `inner` from the edge, both ends smooth over one pixel.
            let coverage = min(1, max(0, depth + 0.5)) * min(1, max(0, inner - depth + 0.5))
            if coverage > 0 {
              let offset = y * bitmap.bytesPerRow + x * 4
              Compositing.lay(
                line, over: UnsafeMutableRawBufferPointer(rebasing: pixels[offset..<(offset + 4)]),
                blend: .normal, opacity: Float(coverage))
            }
            let skips = isFar && shape.radius == 0 && Double(x) > inner + 1
            x = skips ? max(x + 1, bitmap.width - Int(inner) - 2) : x + 1
          }
        }
      }
    }
  }
}

/// A rectangle with round corners, for distances to its edge.
struct RoundedRectangle {
  let width: Double
  let height: Double
  let radius: Double

  init(size: PixelSize, radius: Double) {
    width = Double(size.width)
    height = Double(size.height)
    self.radius = min(radius, min(width, height) / 2)
  }

  /// How far a place is from the nearest edge: positive inside, negative outside.
  func depth(x: Double, y: Double) -> Double {
    let (dx, dy) = (min(x, width - x), min(y, height - y))
    guard dx < radius, dy < radius else { return min(dx, dy) }
    let (cx, cy) = (radius - dx, radius - dy)
    return radius - (cx * cx + cy * cy).squareRoot()
  }
}

extension ImageTransform where Self == Border {
  /// Draws a line along the inner edge.
  public static func border(width: Double, color: Pixel, radius: Double = 0) -> Border {
    Border(width: width, color: color, radius: radius)
  }
}
