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
    try changing(copyOf: bitmap, cancellation)
  }
}

extension ColorControls: RowTransform {
  func change(
    of bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> RowChange? {
    let name = "colour controls"
    try TransformLimits.check(brightness, in: -1...1, name: "brightness", transform: name)
    try TransformLimits.check(contrast, in: 0...10, name: "contrast", transform: name)
    try TransformLimits.check(saturation, in: 0...10, name: "saturation", transform: name)
    guard !key.isEmpty else { return nil }
    var matrix = ColorMatrix.saturation(saturation)
    let (factor, shift) = (
      Float(contrast), Float(brightness * 255 * contrast + 127.5 * (1 - contrast))
    )
    for row in [\ColorMatrix.red, \.green, \.blue] {
      matrix[keyPath: row] *= factor
      matrix[keyPath: row].w = shift
    }
    return try matrix.change(of: bitmap, cancellation: cancellation)
  }
}

extension ImageTransform where Self == ColorControls {
  /// Brightness, contrast and saturation.
  public static func colorControls(
    brightness: Double = 0, contrast: Double = 1, saturation: Double = 1
  ) -> ColorControls {
    ColorControls(brightness: brightness, contrast: contrast, saturation: saturation)
  }
}
