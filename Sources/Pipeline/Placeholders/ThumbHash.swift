#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A picture in some 25 bytes, with its aspect and alpha: a placeholder while it loads.
///
/// The format of Evan Wallace's ThumbHash: brightness in up to 7 waves a side, two colour
/// differences in 3, alpha in 5.
public struct ThumbHash: Sendable, Hashable {
  /// The bytes.
  public let bytes: [UInt8]

  /// Takes bytes made elsewhere; `nil` if there are too few.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count >= 5, bytes.count >= Layout(bytes).byteCount else { return nil }
    self.bytes = bytes
  }

  /// Makes the hash of a picture; large ones are looked at in a small size.
  public init(_ bitmap: Bitmap) {
    let small = bitmap.shrunk(to: 100)
    let planes = Planes(small)
    let (width, height) = (small.width, small.height)
    let limit = planes.hasAlpha ? 5.0 : 7.0
    let longer = Double(max(width, height))
    let across = max(1, Int((limit * Double(width) / longer).rounded()))
    let down = max(1, Int((limit * Double(height) / longer).rounded()))
    let l = Waves(planes.l, small.size, max(3, across), max(3, down))
    let p = Waves(planes.p, small.size, 3, 3)
    let q = Waves(planes.q, small.size, 3, 3)
    let a = planes.hasAlpha ? Waves(planes.a, small.size, 5, 5) : nil

    let isWide = width > height
    var head = Self.round(63 * l.mean) | Self.round(31.5 + 31.5 * p.mean) << 6
    head |= Self.round(31.5 + 31.5 * q.mean) << 12 | Self.round(31 * l.scale) << 18
    head |= planes.hasAlpha ? 1 << 23 : 0
    var tail = isWide ? down : across
    tail |= Self.round(63 * p.scale) << 3 | Self.round(63 * q.scale) << 9 | (isWide ? 1 << 15 : 0)
    var bytes = [head, head >> 8, head >> 16, tail, tail >> 8].map {
      UInt8(truncatingIfNeeded: $0)
    }
    if let a { bytes.append(UInt8(Self.round(15 * a.mean) | Self.round(15 * a.scale) << 4)) }
    var isLow = true
    for factor in ([l, p, q] + (a.map { [$0] } ?? [])).flatMap(\.scaled) {
      let nibble = UInt8(Self.round(15 * factor))
      if isLow { bytes.append(nibble) } else { bytes[bytes.count - 1] |= nibble << 4 }
      isLow.toggle()
    }
    self.bytes = bytes
  }

  /// The aspect of the picture, width over height, roughly.
  public var aspect: Double {
    let layout = Layout(bytes)
    return Double(layout.across) / Double(layout.down)
  }

  /// The placeholder, 32 pixels on its longer side.
  public func bitmap() -> Bitmap {
    let layout = Layout(bytes)
    var factors = Nibbles(bytes, from: layout.start)
    let (l, p, q, a) = (
      factors.take(layout.across, layout.down, layout.lScale),
      factors.take(3, 3, layout.pScale * 1.25), factors.take(3, 3, layout.qScale * 1.25),
      layout.hasAlpha ? factors.take(5, 5, layout.aScale) : []
    )
    let aspect = self.aspect
    let width = aspect > 1 ? 32 : max(1, Int((32 * aspect).rounded()))
    let height = aspect > 1 ? max(1, Int((32 / aspect).rounded())) : 32
    return Bitmap(
      size: PixelSize(width: width, height: height), hasAlpha: layout.hasAlpha
    ) { bytes in
      for y in 0..<height {
        for x in 0..<width {
          let place = ((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
          let light = layout.l + Self.sum(l, layout.across, layout.down, place)
          let yellow = layout.p + Self.sum(p, 3, 3, place)
          let red = layout.q + Self.sum(q, 3, 3, place)
          let alpha = layout.hasAlpha ? layout.a + Self.sum(a, 5, 5, place) : 1
          let b = light - 2 / 3.0 * yellow
          let r = (3 * light - b + red) / 2
          let offset = (y * width + x) * 4
          for (channel, value) in [r, r - red, b, alpha].enumerated() {
            bytes[offset + channel] = UInt8(255 * min(1, max(0, value)))
          }
        }
      }
    }
  }

  private static func round(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }

  private static func sum(
    _ factors: [Double], _ across: Int, _ down: Int, _ place: (x: Double, y: Double)
  ) -> Double {
    var (sum, index) = (0.0, 0)
    for j in 0..<down {
      let vertical = cos(.pi * place.y * Double(j)) * 2
      var i = j > 0 ? 0 : 1
      while i * down < across * (down - j) {
        sum += factors[index] * cos(.pi * place.x * Double(i)) * vertical
        index += 1
        i += 1
      }
    }
    return sum
  }

  /// The numbers at the start.
  private struct Layout {
    let l: Double, p: Double, q: Double, a: Double
    let lScale: Double, pScale: Double, qScale: Double, aScale: Double
    let hasAlpha: Bool
    let across: Int, down: Int
    var start: Int { hasAlpha ? 6 : 5 }
    /// Bytes of such a hash.
    var byteCount: Int {
      let counts = [(across, down), (3, 3), (3, 3)] + (hasAlpha ? [(5, 5)] : [])
      return start + (counts.reduce(0) { $0 + ThumbHash.count($1.0, $1.1) } + 1) / 2
    }

    init(_ bytes: [UInt8]) {
      let head = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
      let tail = Int(bytes[3]) | Int(bytes[4]) << 8
      l = Double(head & 63) / 63
      p = Double(head >> 6 & 63) / 31.5 - 1
      q = Double(head >> 12 & 63) / 31.5 - 1
      lScale = Double(head >> 18 & 31) / 31
      hasAlpha = head >> 23 != 0
      pScale = Double(tail >> 3 & 63) / 63
      qScale = Double(tail >> 9 & 63) / 63
      let isWide = tail >> 15 != 0
      let most = hasAlpha ? 5 : 7
      across = max(3, isWide ? most : tail & 7)
      down = max(3, isWide ? tail & 7 : most)
      let alpha = bytes.count > 5 ? Int(bytes[5]) : 0
      a = hasAlpha ? Double(alpha & 15) / 15 : 1
      aScale = Double(alpha >> 4) / 15
    }
  }

  /// Waves kept of a plane: those below the diagonal, the mean left out.
  fileprivate static func count(_ across: Int, _ down: Int) -> Int {
    (0..<down).reduce(0) { sum, j in
      var i = j > 0 ? 0 : 1
      var count = 0
      while i * down < across * (down - j) {
        count += 1
        i += 1
      }
      return sum + count
    }
  }

  private struct Nibbles {
    let bytes: [UInt8]
    var position: Int

    init(_ bytes: [UInt8], from start: Int) {
      self.bytes = bytes
      position = start * 2
    }

    mutating func take(_ across: Int, _ down: Int, _ scale: Double) -> [Double] {
      (0..<ThumbHash.count(across, down)).map { _ in
        let byte = bytes[position / 2]
        defer { position += 1 }
        return (Double(position % 2 == 0 ? byte & 15 : byte >> 4) / 7.5 - 1) * scale
      }
    }
  }
}

/// Brightness, two differences of colour, and alpha; bare places take the picture's mean colour.
private struct Planes {
  var l: [Double] = [], p: [Double] = [], q: [Double] = [], a: [Double] = []
  let hasAlpha: Bool

  init(_ bitmap: Bitmap) {
    var (mean, weight) = (SIMD3<Double>.zero, 0.0)
    var pixels: [(color: SIMD3<Double>, alpha: Double)] = []
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width {
        let pixel = bitmap[x, y]
        let alpha = Double(pixel.alpha) / 255
        let color = SIMD3(Double(pixel.red), Double(pixel.green), Double(pixel.blue)) / 255
        mean += color * alpha
        weight += alpha
        pixels.append((color, alpha))
      }
    }
    if weight > 0 { mean /= weight }
    hasAlpha = weight < Double(pixels.count)
    for (color, alpha) in pixels {
      let c = mean * (1 - alpha) + color * alpha
      l.append((c.x + c.y + c.z) / 3)
      p.append((c.x + c.y) / 2 - c.z)
      q.append(c.x - c.y)
      a.append(alpha)
    }
  }
}

/// The waves of one plane.
private struct Waves {
  let mean: Double
  /// The largest of the others.
  let scale: Double
  /// The others, 0…1, a half meaning none.
  let scaled: [Double]

  init(_ plane: [Double], _ size: PixelSize, _ across: Int, _ down: Int) {
    var (mean, factors) = (0.0, [Double]())
    for j in 0..<down {
      var i = 0
      while i * down < across * (down - j) {
        let factor = Self.factor(plane, size, i, j)
        if i > 0 || j > 0 { factors.append(factor) } else { mean = factor }
        i += 1
      }
    }
    let scale = factors.reduce(0) { max($0, abs($1)) }
    self.mean = mean
    self.scale = scale
    scaled = factors.map { scale > 0 ? 0.5 + 0.5 / scale * $0 : 0 }
  }

  private static func factor(_ plane: [Double], _ size: PixelSize, _ i: Int, _ j: Int) -> Double {
    let across = (0..<size.width).map {
      cos(.pi / Double(size.width) * Double(i) * (Double($0) + 0.5))
    }
    var sum = 0.0
    for y in 0..<size.height {
      let vertical = cos(.pi / Double(size.height) * Double(j) * (Double(y) + 0.5))
      for x in 0..<size.width { sum += plane[y * size.width + x] * across[x] * vertical }
    }
    return sum / Double(size.width * size.height)
  }
}
