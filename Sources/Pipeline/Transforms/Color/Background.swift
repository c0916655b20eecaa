/// Puts a colour behind a picture.
public struct Background: ImageTransform, Hashable {
  /// The colour.
  public var color: Pixel

  /// Puts `color` behind the picture.
  public init(_ color: Pixel) { self.color = color }

  /// The colour; empty for a transparent one.
  public var key: String { color.alpha == 0 ? "" : "background(\(color.keyPart))" }

  /// The picture on the colour; the same bitmap if it is opaque. Fails only when cancelled.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    try changing(copyOf: bitmap, cancellation)
  }
}

extension Background: RowTransform {
  func change(
    of bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> RowChange? {
    guard bitmap.hasAlpha, color.alpha > 0 else { return nil }
    let below = SIMD4(color.red, color.green, color.blue, color.alpha)
    return RowChange(hasAlpha: color.alpha < 255) { rows in
      for y in rows.range {
        let line = rows[y]
        for x in line.indices where line[x].w < 255 {
          line[x] = Compositing.laid(line[x], over: below)
        }
      }
    }
  }
}

extension ImageTransform where Self == Background {
  /// Puts a colour behind the picture.
  public static func background(_ color: Pixel) -> Background { Background(color) }
}
