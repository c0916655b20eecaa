/// Lays one colour over a picture, where the picture is: its alpha stays.
public struct Tint: ImageTransform, Hashable {
  /// The colour; its alpha says how strongly.
  public var color: Pixel
  /// How it meets the picture.
  public var blend: BlendMode

  /// Lays `color` over the picture.
  public init(_ color: Pixel, blend: BlendMode = .normal) {
    self.color = color
    self.blend = blend
  }

  /// Colour and blend mode; empty for a transparent colour.
  public var key: String { color.alpha == 0 ? "" : "tint(\(color.keyPart),\(blend.rawValue))" }

  /// The tinted picture; the same bitmap for a transparent colour. Fails only when cancelled.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    try changing(copyOf: bitmap, cancellation)
  }
}

extension Tint: RowTransform {
  func change(
    of bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> RowChange? {
    guard color.alpha > 0 else { return nil }
    // For each component there are but 256 results.
    let levels = (0...255).map { UInt8($0) }
    let red = levels.map { table(backdrop: $0, source: color.red) }
    let green = levels.map { table(backdrop: $0, source: color.green) }
    let blue = levels.map { table(backdrop: $0, source: color.blue) }
    return RowChange(hasAlpha: bitmap.hasAlpha) { rows in
      for y in rows.range {
        let line = rows[y]
        for x in line.indices where line[x].w > 0 {
          let pixel = line[x]
          line[x] = SIMD4(red[Int(pixel.x)], green[Int(pixel.y)], blue[Int(pixel.z)], pixel.w)
        }
      }
    }
  }

  private func table(backdrop: UInt8, source: UInt8) -> UInt8 {
    let (b, s, a) = (Float(backdrop) / 255, Float(source) / 255, Float(color.alpha) / 255)
    let value = b * (1 - a) + blend.blend(b, s) * a
    return UInt8(min(255, max(0, value * 255 + 0.5)))
  }
}

extension ImageTransform where Self == Tint {
  /// Lays one colour over the picture.
  public static func tint(_ color: Pixel, blend: BlendMode = .normal) -> Tint {
    Tint(color, blend: blend)
  }
}
