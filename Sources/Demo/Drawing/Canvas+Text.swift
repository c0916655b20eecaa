extension Canvas {
  /// A line of text, top left corner of its first capital at `x`, `y`; `scale` pixels a dot.
  mutating func text(_ text: String, x: Int, y: Int, scale: Int = 2, _ color: Color) {
    var left = x
    for character in text {
      for (row, dots) in DotFont.standard.rows(of: character).enumerated() {
        for (column, isSet) in dots.enumerated() where isSet {
          fill(
            x: left + column * scale, y: y + row * scale, width: scale, height: scale, color)
        }
      }
      left += DotFont.advance * scale
    }
  }

  /// Pixels that `text` takes from left to right.
  static func width(of text: String, scale: Int = 2) -> Int {
    max(0, text.count * DotFont.advance - 1) * scale
  }
}
