/// Mixes red, green and blue anew: each result is a sum of the three and a constant. Alpha stays.
public struct ColorMatrix: ImageTransform, Hashable {
  /// Weights of red, green and blue, and a constant in 0…255, for each result.
  public var red: SIMD4<Float>
  /// The same for green.
  public var green: SIMD4<Float>
  /// The same for blue.
  public var blue: SIMD4<Float>

  /// Makes a matrix by its rows.
  public init(red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Changes nothing.
  public static let identity = ColorMatrix(
    red: SIMD4(1, 0, 0, 0), green: SIMD4(0, 1, 0, 0), blue: SIMD4(0, 0, 1, 0))

  /// Grey of the same brightness, by the weights of BT.601.
  public static let grayscale = saturation(0)

  /// 0 is grey, 1 unchanged, more is more colourful.
  public static func saturation(_ amount: Double) -> ColorMatrix {
    let (s, luma) = (Float(amount), SIMD4<Float>(0.299, 0.587, 0.114, 0))
    let gray = luma * (1 - s)
    return ColorMatrix(
      red: gray + SIMD4(s, 0, 0, 0), green: gray + SIMD4(0, s, 0, 0),
      blue: gray + SIMD4(0, 0, s, 0))
  }

  /// The nine weights and three constants; empty if they change nothing.
  public var key: String {
    guard self != .identity else { return "" }
    let numbers = [red, green, blue].flatMap { row in (0..<4).map { "\(row[$0])" } }
    return "matrix(\(numbers.joined(separator: ",")))"
  }

  /// The picture in its new colours.
  ///
  /// - Throws: `.invalidParameter` for a number that is not finite.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    try changing(copyOf: bitmap, cancellation)
  }
}

extension ColorMatrix: RowTransform {
  func change(
    of bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> RowChange? {
    for row in [red, green, blue] {
      for index in 0..<4 where !row[index].isFinite {
        throw .invalidParameter(transform: "colour matrix", reason: "a number is not finite")
      }
    }
    guard self != .identity else { return nil }
    let columns = (0..<4).map { SIMD4(red[$0], green[$0], blue[$0], 0) }
    let (r, g, b, constant) = (columns[0], columns[1], columns[2], columns[3])
    return RowChange(hasAlpha: bitmap.hasAlpha) { rows in
      for y in rows.range {
        let line = rows[y]
        for x in line.indices where line[x].w > 0 {
          let pixel = SIMD4<Float>(line[x])
          let mixed = r * pixel.x + g * pixel.y + b * pixel.z + constant
          line[x] = mixed.pixel(alpha: line[x].w)
        }
      }
    }
  }
}

extension ImageTransform where Self == ColorMatrix {
  /// Grey of the same brightness.
  public static var grayscale: ColorMatrix { ColorMatrix.saturation(0) }
}
