import Foundation

extension Canvas {
  /// A rectangle of whole pixels.
  mutating func fill(x left: Int, y top: Int, width: Int, height: Int, _ color: Color) {
    for y in max(0, top)..<max(0, top, min(self.height, top + height)) {
      for x in max(0, left)..<max(0, left, min(self.width, left + width)) {
        blend(color, x: x, y: y)
      }
    }
  }

  /// Colours from top to bottom, evenly spaced, over the whole canvas.
  mutating func fillDown(_ colors: [Color]) {
    for y in 0..<height {
      let color = Self.color(at: Float(y) / Float(max(1, height - 1)), of: colors)
      for x in 0..<width { blend(color, x: x, y: y) }
    }
  }

  /// The colour at `position` (0…1) of a row of colours.
  static func color(at position: Float, of colors: [Color]) -> Color {
    let place = position * Float(colors.count - 1)
    let index = min(max(0, Int(place)), max(0, colors.count - 2))
    guard colors.count > 1 else { return colors[0] }
    return colors[index].mixed(with: colors[index + 1], place - Float(index))
  }

  /// A disc with a smooth edge; `softness` is how many pixels the edge fades over.
  mutating func disc(
    x: Float, y: Float, radius: Float, _ color: Color, softness: Float = 1
  ) {
    shape(left: x - radius, top: y - radius, right: x + radius, bottom: y + radius, by: softness) {
      let dx = $0 - x
      let dy = $1 - y
      return color.opacity(
        min(1, max(0, (radius - (dx * dx + dy * dy).squareRoot()) / softness + 0.5)))
    }
  }

  /// A circle line.
  mutating func ring(x: Float, y: Float, radius: Float, line: Float, _ color: Color) {
    let outer = radius + line / 2
    shape(left: x - outer, top: y - outer, right: x + outer, bottom: y + outer, by: 1) {
      let dx = $0 - x
      let dy = $1 - y
      let distance = abs((dx * dx + dy * dy).squareRoot() - radius)
      return color.opacity(min(1, max(0, line / 2 - distance + 0.5)))
    }
  }

  /// A rectangle with round corners.
  mutating func panel(
    x: Float, y: Float, width: Float, height: Float, radius: Float, _ color: Color
  ) {
    let middleX = x + width / 2
    let middleY = y + height / 2
    shape(left: x, top: y, right: x + width, bottom: y + height, by: 1) {
      let dx = abs($0 - middleX) - width / 2 + radius
      let dy = abs($1 - middleY) - height / 2 + radius
      let outside = (max(dx, 0) * max(dx, 0) + max(dy, 0) * max(dy, 0)).squareRoot()
      let distance = outside + min(max(dx, dy), 0) - radius
      return color.opacity(min(1, max(0, 0.5 - distance)))
    }
  }

  /// A line with round ends.
  mutating func line(
    from a: (x: Float, y: Float), to b: (x: Float, y: Float), width: Float, _ color: Color
  ) {
    let dx = b.x - a.x
    let dy = b.y - a.y
    let length = max(0.001, dx * dx + dy * dy)
    shape(
      left: min(a.x, b.x), top: min(a.y, b.y), right: max(a.x, b.x), bottom: max(a.y, b.y),
      by: width
    ) {
      let along = min(1, max(0, (($0 - a.x) * dx + ($1 - a.y) * dy) / length))
      let offX = $0 - a.x - along * dx
      let offY = $1 - a.y - along * dy
      return color.opacity(
        min(1, max(0, width / 2 - (offX * offX + offY * offY).squareRoot() + 0.5)))
    }
  }

  /// All that lies below `edge`, which gives a height for each column.
  mutating func fillBelow(_ color: Color, edge: (Float) -> Float) {
    for x in 0..<width {
      let top = edge(Float(x))
      for y in max(0, Int(top))..<max(0, Int(top), height) {
        blend(color.opacity(min(1, Float(y) + 1 - top)), x: x, y: y)
      }
    }
  }

  /// Squares of two greys, as shown behind transparent pictures.
  mutating func checkerboard(x left: Int, y top: Int, width: Int, height: Int, square: Int = 8) {
    for y in 0..<height {
      for x in 0..<width {
        let isDark = (x / square + y / square) % 2 == 1
        blend(Color(isDark ? 0xDCDFE3 : 0xFFFFFF), x: left + x, y: top + y)
      }
    }
  }

  private mutating func shape(
    left: Float, top: Float, right: Float, bottom: Float, by margin: Float,
    _ color: (Float, Float) -> Color
  ) {
    let firstX = max(0, Int(left - margin))
    let firstY = max(0, Int(top - margin))
    for y in firstY..<max(firstY, min(height, Int(bottom + margin) + 1)) {
      for x in firstX..<max(firstX, min(width, Int(right + margin) + 1)) {
        blend(color(Float(x) + 0.5, Float(y) + 0.5), x: x, y: y)
      }
    }
  }
}
