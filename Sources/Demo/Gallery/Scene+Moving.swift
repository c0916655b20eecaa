import Foundation

extension Scene {
  /// Planets around a sun.
  static func orbit(_ width: Int, _ height: Int, phase: Float) -> Canvas {
    var canvas = Canvas(width: width, height: height, Color(0x101425))
    let (w, h) = (Float(width), Float(height))
    let planets: [(distance: Float, size: Float, turns: Float, color: Int)] = [
      (0.19, 0.035, 3, 0x9AD1F5), (0.30, 0.05, 2, 0x6FCF7F), (0.42, 0.042, 1, 0xE8705A),
    ]
    for planet in planets {
      canvas.ring(x: w / 2, y: h / 2, radius: h * planet.distance, line: 1.2, Color(0x39415F))
    }
    canvas.disc(x: w / 2, y: h / 2, radius: h * 0.09, Color(0xFFC94D))
    for planet in planets {
      let turn = phase * planet.turns * 2 * .pi
      canvas.disc(
        x: w / 2 + cos(turn) * h * planet.distance, y: h / 2 + sin(turn) * h * planet.distance,
        radius: h * planet.size, Color(planet.color))
    }
    return canvas
  }

  /// A ring of dots that light up one after the other, on nothing.
  static func pulse(_ width: Int, _ height: Int, phase: Float) -> Canvas {
    var canvas = Canvas(width: width, height: height)
    let (w, h) = (Float(width), Float(height))
    let dots = 12
    for dot in 0..<dots {
      let place = Float(dot) / Float(dots)
      let age = (phase - place + 1).truncatingRemainder(dividingBy: 1)
      let turn = place * 2 * .pi - .pi / 2
      canvas.disc(
        x: w / 2 + cos(turn) * h * 0.34, y: h / 2 + sin(turn) * h * 0.34,
        radius: h * (0.05 + 0.035 * (1 - age)),
        Color(0x7A5CF0).mixed(with: Color(0x22C1C3), place).opacity(1 - age * 0.8))
    }
    return canvas
  }
}
