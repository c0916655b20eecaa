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

  /// The tinted picture. Fails only when cancelled.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    guard color.alpha > 0 else { return bitmap }
    if cancellation.isCancelled { throw .cancelled }
    // For each channel there are but 256 results.
    let tables = [color.red, color.green, color.blue].map { source in
      (0...255).map { table(backdrop: UInt8($0), source: source) }
    }
    return bitmap.changed(hasAlpha: bitmap.hasAlpha) { pixels in
      for offset in stride(from: 0, to: pixels.count, by: 4) where pixels[offset + 3] > 0 {
        for channel in 0..<3 {
          pixels[offset + channel] = tables[channel][Int(pixels[offset + channel])]
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

/// Puts a colour behind a picture.
public struct Background: ImageTransform, Hashable {
  /// The colour.
  public var color: Pixel

  /// Puts `color` behind the picture.
  public init(_ color: Pixel) { self.color = color }

  /// The colour; empty for a transparent one.
  public var key: String { color.alpha == 0 ? "" : "background(\(color.keyPart))" }

  /// The picture on the colour; the same bitmap if it is opaque. Never fails.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    guard bitmap.hasAlpha, color.alpha > 0 else { return bitmap }
    let laid = Bitmap(size: bitmap.size, color: color).drawing(bitmap, x: 0, y: 0)
    return Bitmap(size: laid.size, hasAlpha: color.alpha < 255, storage: laid.storage)
  }
}

extension ImageTransform where Self == Tint {
  /// Lays one colour over the picture.
  public static func tint(_ color: Pixel, blend: BlendMode = .normal) -> Tint {
    Tint(color, blend: blend)
  }
}

extension ImageTransform where Self == Background {
  /// Puts a colour behind the picture.
  public static func background(_ color: Pixel) -> Background { Background(color) }
}
