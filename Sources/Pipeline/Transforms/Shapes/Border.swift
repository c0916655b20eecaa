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
    try changing(copyOf: bitmap, cancellation)
  }
}

extension Border: RowTransform {
  func change(
    of bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> RowChange? {
    let limits = 0...Double.infinity
    try TransformLimits.check(width, in: limits, name: "width", transform: "border")
    try TransformLimits.check(radius, in: limits, name: "radius", transform: "border")
    guard !key.isEmpty else { return nil }
    let shape = RoundedRectangle(size: bitmap.size, radius: radius)
    let inner = min(width, Double(max(bitmap.width, bitmap.height)))
    let source = SIMD4(color.red, color.green, color.blue, color.alpha)
    // Deeper than this, in both directions, nothing is drawn.
    let reach = Int(max(inner, shape.radius)) + 2
    return RowChange(hasAlpha: bitmap.hasAlpha || radius > 0) { rows in
      for y in rows.range {
        let line = rows[y]
        let isNearEnd = y < reach || bitmap.height - 1 - y < reach
        var x = 0
        while x < line.count {
          let depth = shape.depth(x: Double(x) + 0.5, y: Double(y) + 0.5)
          // Within the line up to `inner` from the edge, both ends smooth over one pixel.
          let coverage = min(1, max(0, depth + 0.5)) * min(1, max(0, inner - depth + 0.5))
          if coverage > 0 {
            line[x] = Compositing.laid(source, over: line[x], opacity: Float(coverage))
          }
          x = !isNearEnd && x == reach ? max(x + 1, line.count - reach) : x + 1
        }
      }
    }
  }
}

extension ImageTransform where Self == Border {
  /// Draws a line along the inner edge.
  public static func border(width: Double, color: Pixel, radius: Double = 0) -> Border {
    Border(width: width, color: color, radius: radius)
  }
}
