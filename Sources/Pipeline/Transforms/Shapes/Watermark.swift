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
    try changing(copyOf: bitmap, cancellation)
  }
}

extension Watermark: RowTransform {
  func change(
    of bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> RowChange? {
    try TransformLimits.check(opacity, in: 0...1, name: "opacity", transform: "watermark")
    let overlay = try overlay(on: bitmap.size)
    guard opacity > 0, overlay.covers(bitmap.size) else { return nil }
    return RowChange(hasAlpha: bitmap.hasAlpha) { rows in overlay.draw(on: rows) }
  }

  private func overlay(on size: PixelSize) throws(TransformError) -> Overlay {
    switch placement {
    case .once(let anchor, let margin):
      let margin = min(max(margin, -1 << 30), 1 << 30)
      let room = PixelSize(width: size.width - 2 * margin, height: size.height - 2 * margin)
      let (x, y) = anchor.origin(of: mark.size, in: room)
      return Overlay(
        picture: mark, x: x + margin, y: y + margin, blend: blend, opacity: Float(opacity))
    case .tiled(let spacing):
      guard spacing >= 0 else {
        throw .invalidParameter(
          transform: "watermark", reason: "a spacing of \(spacing) is negative")
      }
      let spacing = min(spacing, 1 << 30)
      let period = PixelSize(width: mark.width + spacing, height: mark.height + spacing)
      return Overlay(
        picture: mark, x: 0, y: 0, period: period, blend: blend, opacity: Float(opacity))
    }
  }
}

extension ImageTransform where Self == Watermark {
  /// Lays a small picture over a large one.
  public static func watermark(
    _ mark: Bitmap, name: String,
    placement: Watermark.Placement = .once(.bottomRight, margin: 0), opacity: Double = 1,
    blend: BlendMode = .normal
  ) -> Watermark {
    Watermark(mark, name: name, placement: placement, opacity: opacity, blend: blend)
  }
}
