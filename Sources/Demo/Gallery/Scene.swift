import Foundation

/// Pictures that are drawn by numbers alone, at any size; moving ones at any `phase` from 0 to 1.
enum Scene {
  /// The colours of a landscape: sky from the top, sun, hills from the farthest.
  struct Light: Sendable {
    let sky: [Int]
    let sun: Int
    let hills: [Int]

    /// The sun goes down.
    static let evening = Light(
      sky: [0x2B2B6B, 0x8E3B76, 0xF0735A, 0xFFC46B], sun: 0xFFF3CF,
      hills: [0x6B3A6E, 0x47295C, 0x241A3D])
    /// Fog lies between the hills.
    static let morning = Light(
      sky: [0x7EC8E3, 0xC9E9E4, 0xFDF3D0], sun: 0xFFFDF2, hills: [0x9CCB8F, 0x5FA06B, 0x2C6A4F])
  }

  /// The sun over hills.
  static func hills(_ width: Int, _ height: Int, _ light: Light) -> Canvas {
    var canvas = Canvas(width: width, height: height, Color(light.sky[0]))
    let (w, h) = (Float(width), Float(height))
    canvas.fillDown(light.sky.map { Color($0) })
    canvas.disc(
      x: w * 0.62, y: h * 0.5, radius: h * 0.36, Color(light.sun, alpha: 0.5), softness: h * 0.4)
    canvas.disc(x: w * 0.62, y: h * 0.5, radius: h * 0.14, Color(light.sun))
    for (index, color) in light.hills.enumerated() {
      let place = Float(index)
      canvas.fillBelow(Color(color)) { x in
        let turn = x / w * (9 + place * 5)
        let wave = sin(turn) * 0.6 + sin(turn * 0.43 + 1) * 0.4
        return h * (0.58 + 0.12 * place - (0.07 - 0.01 * place) * wave)
      }
    }
    return canvas
  }

  /// Panes of coloured glass on nothing.
  static func glass(_ width: Int, _ height: Int) -> Canvas {
    var canvas = Canvas(width: width, height: height)
    let (w, h) = (Float(width), Float(height))
    let colors = [0xE6355B, 0xF5A623, 0x2BB673, 0x2D7DD2, 0x8E44AD]
    for (index, color) in colors.enumerated() {
      let turn = Float(index) / Float(colors.count) * 2 * .pi - .pi / 2
      canvas.disc(
        x: w / 2 + cos(turn) * h * 0.22, y: h / 2 + sin(turn) * h * 0.22, radius: h * 0.24,
        Color(color, alpha: 0.62))
    }
    canvas.ring(
      x: w / 2, y: h / 2, radius: h * 0.46, line: h * 0.015, Color(0x22313F, alpha: 0.8))
    return canvas
  }

  /// Waves, each nearer and darker than the last.
  static func waves(_ width: Int, _ height: Int) -> Canvas {
    var canvas = Canvas(width: width, height: height, Color(0xE8F6F8))
    let (w, h) = (Float(width), Float(height))
    canvas.fillDown([Color(0xBFE6EF), Color(0xF3FBFA)])
    canvas.disc(x: w * 0.22, y: h * 0.2, radius: h * 0.09, Color(0xFFF7D6))
    for layer in 0..<6 {
      let share = Float(layer) / 5
      canvas.fillBelow(Color(0x7FCBD6).mixed(with: Color(0x0B3C5D), share)) { x in
        let turn = x / w * (7 + share * 6) + share * 5
        return h * (0.36 + share * 0.48 + 0.045 * sin(turn) + 0.02 * sin(turn * 2.3 + share))
      }
    }
    return canvas
  }

  /// A boat on the sea under a banner that says which way is up.
  static func boat(_ width: Int, _ height: Int) -> Canvas {
    var canvas = Canvas(width: width, height: height, Color(0xF7D9A0))
    let (w, h) = (Float(width), Float(height))
    canvas.fillDown([Color(0x6EC3E8), Color(0xCFEFFA), Color(0xFFF1D6)])
    for step in 0..<Int(w * 0.34) {
      let x = w * 0.47 - Float(step)
      let top = h * 0.22 + Float(step) / (w * 0.34) * h * 0.4
      canvas.line(from: (x, top), to: (x, h * 0.63), width: 1.6, Color(0xFFFFFF))
      guard Float(step) < w * 0.24 else { continue }
      let right = w * 0.52 + Float(step)
      let edge = h * 0.3 + Float(step) / (w * 0.24) * h * 0.32
      canvas.line(from: (right, edge), to: (right, h * 0.63), width: 1.6, Color(0xE6533C))
    }
    canvas.line(from: (w * 0.495, h * 0.18), to: (w * 0.495, h * 0.7), width: 4, Color(0x5A3B28))
    for row in 0..<Int(h * 0.09) {
      let inset = Float(row) * 0.9
      canvas.line(
        from: (w * 0.17 + inset, h * 0.67 + Float(row)),
        to: (w * 0.81 - inset, h * 0.67 + Float(row)), width: 2, Color(0x7B4A2F))
    }
    canvas.fillBelow(Color(0x14688F)) { h * 0.76 + sin($0 / w * 22) * h * 0.012 }
    canvas.fillBelow(Color(0x0E4D6E)) { h * 0.86 + sin($0 / w * 16 + 2) * h * 0.014 }
    let label = "THIS WAY UP"
    canvas.text(
      label, x: (width - Canvas.width(of: label, scale: 3)) / 2, y: height / 14, scale: 3,
      Color(0x14445E))
    return canvas
  }

  /// Stars, a moon, and houses with lights on.
  static func night(_ width: Int, _ height: Int) -> Canvas {
    var canvas = Canvas(width: width, height: height, Color(0x0B1026))
    let (w, h) = (Float(width), Float(height))
    canvas.fillDown([Color(0x0B1026), Color(0x1C2A57), Color(0x46508C)])
    var random = Lottery(seed: 7)
    for _ in 0..<140 {
      canvas.disc(
        x: random.next() * w, y: random.next() * h * 0.6,
        radius: h * (0.001 + random.next() * 0.002),
        Color(0xFFFFFF, alpha: 0.4 + random.next() * 0.6))
    }
    canvas.disc(x: w * 0.78, y: h * 0.22, radius: h * 0.09, Color(0xF6F1D5))
    for crater: (x: Float, y: Float, size: Float) in [(-3, -2, 2.2), (3, 1, 1.6), (-1, 4, 1.3)] {
      canvas.disc(
        x: w * 0.78 + crater.x * h * 0.012, y: h * 0.22 + crater.y * h * 0.012,
        radius: crater.size * h * 0.009, Color(0xDCD5B0))
    }
    let house = width / 14
    for index in 0..<14 {
      let top = Int(h * (0.55 + random.next() * 0.25))
      canvas.fill(
        x: index * house, y: top, width: house + 1, height: height - top,
        Color(0x0A0D1C).mixed(with: Color(0x242B52), random.next() * 0.6))
      for row in stride(from: top + house / 6, to: height - house / 6, by: max(3, house / 4)) {
        for column in 0..<3 where random.next() > 0.55 {
          canvas.fill(
            x: index * house + house / 8 + column * house * 2 / 7, y: row, width: house / 7,
            height: house / 8, Color(0xFFD98A))
        }
      }
    }
    return canvas
  }
}

/// Numbers that look random and are the same each time.
struct Lottery {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// From 0 up to, not including, 1.
  mutating func next() -> Float {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Float(state >> 40) / Float(1 << 24)
  }
}
