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
