/// Lays a small picture over a large one.
public struct Watermark: ImageTransform {
  /// Where it lies.
  public enum Placement: Sendable, Hashable {
    /// Once, at an anchor, so many pixels from the edges it touches.
    case once(Anchor, margin: Int)
    /// Again and again from the top left corner, so many pixels apart.
    case tiled(spacing: Int)
  }

  /// The small picture; what of it lies beyond the large one is left out.
  public var mark: Bitmap
  /// Names it in keys: another picture needs another name.
  public var name: String
  /// Where it lies.
  public var placement: Placement
  /// 0…1.
  public var opacity: Double
  /// How it meets the picture.
  public var blend: BlendMode

  /// Lays `mark` over pictures.
  public init(
    _ mark: Bitmap, name: String, placement: Placement = .once(.bottomRight, margin: 0),
    opacity: Double = 1, blend: BlendMode = .normal
  ) {
    self.mark = mark
    self.name = name
    self.placement = placement
    self.opacity = opacity
    self.blend = blend
  }

  /// All but the pixels of the mark; empty for an opacity of 0.
  public var key: String {
    guard opacity != 0 else { return "" }
    let place =
      switch placement {
      case .once(let anchor, let margin): "\(anchor.rawValue),\(margin)"
      case .tiled(let spacing): "tiled,\(spacing)"
      }
    return "watermark(\(name),\(mark.width)x\(mark.height),\(place),\(opacity),\(blend.rawValue))"
  }

  /// The marked picture.
  ///
  /// - Throws: `.invalidParameter` for an opacity outside 0…1 or a negative spacing.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    try TransformLimits.check(opacity, in: 0...1, name: "opacity", transform: "watermark")
    guard opacity > 0 else { return bitmap }
    switch placement {
    case .once(let anchor, let margin):
      let margin = min(max(margin, -1 << 30), 1 << 30)
      let room = PixelSize(width: bitmap.width - 2 * margin, height: bitmap.height - 2 * margin)
      let (x, y) = anchor.origin(of: mark.size, in: room)
      return bitmap.drawing(mark, x: x + margin, y: y + margin, blend: blend, opacity: opacity)
    case .tiled(let spacing):
      guard spacing >= 0 else {
        throw .invalidParameter(
          transform: "watermark", reason: "a spacing of \(spacing) is negative")
      }
      let tile = try tiling(bitmap.size, spacing: min(spacing, 1 << 30), cancellation)
      return bitmap.drawing(tile, x: 0, y: 0, blend: blend, opacity: opacity)
    }
  }

  private func tiling(
    _ size: PixelSize, spacing: Int, _ cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    var cancelled = false
    let canvas = Bitmap(size: size, color: .clear).changed(hasAlpha: true) { pixels in
      mark.withUnsafeBytes { source in
        for y in 0..<size.height {
          let row = y % (mark.height + spacing)
          guard row < mark.height, !cancelled else { continue }
          cancelled = cancellation.isCancelled
          for x in 0..<size.width {
            let column = x % (mark.width + spacing)
            guard column < mark.width else { continue }
            pixels.storeBytes(
              of: source.load(fromByteOffset: (row * mark.width + column) * 4, as: UInt32.self),
              toByteOffset: (y * size.width + x) * 4, as: UInt32.self)
          }
        }
      }
    }
    if cancelled { throw .cancelled }
    return canvas
  }
}
