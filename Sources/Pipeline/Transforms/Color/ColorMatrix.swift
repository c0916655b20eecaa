/// Mixes red, green and blue anew: each result is a sum of the three and a constant. Alpha stays.
public struct ColorMatrix: ImageTransform, Hashable {
  /// Weights of red, green and blue, and a constant in 0…255, for each result.
  public var red: SIMD4<Float>
  public var green: SIMD4<Float>
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
    for row in [red, green, blue] {
      for index in 0..<4 where !row[index].isFinite {
        throw .invalidParameter(transform: "colour matrix", reason: "a number is not finite")
      }
    }
    guard self != .identity else { return bitmap }
    let columns = (0..<4).map { SIMD4(red[$0], green[$0], blue[$0], 0) }
    let (r, g, b, constant) = (columns[0], columns[1], columns[2], columns[3])
    return bitmap.changed(hasAlpha: bitmap.hasAlpha) { pixels in
      for offset in stride(from: 0, to: pixels.count, by: 4) {
        let alpha = pixels[offset + 3]
        guard alpha > 0 else { continue }
        let mixed =
          r * Float(pixels[offset]) + g * Float(pixels[offset + 1]) + b * Float(pixels[offset + 2])
          + constant + 0.5
        let clamped = mixed.clamped(
          lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 255))
        var result = SIMD4<UInt8>(truncatingIfNeeded: SIMD4<Int32>(clamped))
        result.w = alpha
        pixels.storeBytes(of: result, toByteOffset: offset, as: SIMD4<UInt8>.self)
      }
    }
  }
}

/// Brightness, contrast and saturation, in this order.
public struct ColorControls: ImageTransform, Hashable {
  /// Added to each colour: −1…1, 0 changes nothing.
  public var brightness: Double
  /// Distance from middle grey: 0 is grey, 1 unchanged, up to 10.
  public var contrast: Double
  /// 0 is grey, 1 unchanged, up to 10.
  public var saturation: Double

  /// Sets the controls.
  public init(brightness: Double = 0, contrast: Double = 1, saturation: Double = 1) {
    self.brightness = brightness
    self.contrast = contrast
    self.saturation = saturation
  }

  /// The three numbers; empty if they change nothing.
  public var key: String {
    if brightness == 0, contrast == 1, saturation == 1 { return "" }
    return "controls(\(brightness),\(contrast),\(saturation))"
  }

  /// The picture in its new colours.
  ///
  /// - Throws: `.invalidParameter` for a control outside its range.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    let name = "colour controls"
    try TransformLimits.check(brightness, in: -1...1, name: "brightness", transform: name)
    try TransformLimits.check(contrast, in: 0...10, name: "contrast", transform: name)
    try TransformLimits.check(saturation, in: 0...10, name: "saturation", transform: name)
    guard !key.isEmpty else { return bitmap }
    var matrix = ColorMatrix.saturation(saturation)
    let (factor, shift) = (
      Float(contrast), Float(brightness * 255 * contrast + 127.5 * (1 - contrast))
    )
    for row in [\ColorMatrix.red, \.green, \.blue] {
      matrix[keyPath: row] *= factor
      matrix[keyPath: row].w = shift
    }
    return try matrix.apply(to: bitmap, cancellation: cancellation)
  }
}

extension ImageTransform where Self == ColorMatrix {
  /// Grey of the same brightness.
  public static var grayscale: ColorMatrix { ColorMatrix.saturation(0) }
}

extension ImageTransform where Self == ColorControls {
  /// Brightness, contrast and saturation.
  public static func colorControls(
    brightness: Double = 0, contrast: Double = 1, saturation: Double = 1
  ) -> ColorControls {
    ColorControls(brightness: brightness, contrast: contrast, saturation: saturation)
  }
}
