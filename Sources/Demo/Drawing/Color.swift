/// A colour of the drawing code: straight alpha, 0…1 each.
struct Color: Sendable, Equatable {
  var red: Float
  var green: Float
  var blue: Float
  var alpha: Float = 1

  /// From `0xRRGGBB`.
  init(_ hex: Int, alpha: Float = 1) {
    red = Float(hex >> 16 & 255) / 255
    green = Float(hex >> 8 & 255) / 255
    blue = Float(hex & 255) / 255
    self.alpha = alpha
  }

  /// The same colour, seen through.
  func opacity(_ share: Float) -> Color {
    var copy = self
    copy.alpha *= share
    return copy
  }

  /// The colour `share` of the way to `other`; 0 is this one, 1 the other.
  func mixed(with other: Color, _ share: Float) -> Color {
    let share = min(1, max(0, share))
    var copy = self
    copy.red += (other.red - red) * share
    copy.green += (other.green - green) * share
    copy.blue += (other.blue - blue) * share
    copy.alpha += (other.alpha - alpha) * share
    return copy
  }
}
