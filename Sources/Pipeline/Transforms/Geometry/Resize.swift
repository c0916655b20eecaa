/// Changes the size of a picture.
public struct Resize: ImageTransform, Hashable {
  /// How the picture meets the size asked for.
  public enum Mode: String, Sendable, Hashable {
    /// As large as fits inside, its aspect kept.
    case fit
    /// As small as covers it, its aspect kept, and cut to it around the centre.
    case fill
    /// Stretched to it.
    case exact
  }

  /// The size asked for.
  public var size: PixelSize
  /// How the picture meets it.
  public var mode: Mode
  /// How pixels are weighed.
  public var filter: ResampleFilter
  /// Whether a small picture grows. If not, it keeps its size; with `.fill` it is cut to the aspect.
  public var upscales: Bool

  /// Asks for a size.
  public init(
    to size: PixelSize, mode: Mode, filter: ResampleFilter = .lanczos3, upscales: Bool = false
  ) {
    self.size = size
    self.mode = mode
    self.filter = filter
    self.upscales = upscales
  }

  /// Size, mode and filter.
  public var key: String {
    "resize(\(size.width)x\(size.height),\(mode.rawValue),\(filter.rawValue)"
      + (upscales ? ",up)" : ")")
  }

  /// The picture in its new size; the same bitmap if that is its size already.
  ///
  /// - Throws: `.invalidParameter` for a side below 1, `.tooLarge` beyond 100 megapixels.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    try apply(
      to: bitmap,
      region: PixelRectangle(x: 0, y: 0, width: bitmap.width, height: bitmap.height),
      cancellation: cancellation)
  }

  /// The same for a part of the bitmap, as if it had been cut out first.
  func apply(
    to bitmap: Bitmap, region: PixelRectangle, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    try TransformLimits.check(size, transform: "resize")
    let source = PixelSize(width: region.width, height: region.height)
    let output = outputSize(for: source)
    try TransformLimits.check(output, transform: "resize")
    let (horizontal, vertical) = box(in: source, for: output)
    if output == bitmap.size, source == bitmap.size { return bitmap }
    let resampler = Resampler(
      columns: WeightTable(
        input: source.width, box: horizontal, output: output.width, filter: filter),
      rows: WeightTable(input: source.height, box: vertical, output: output.height, filter: filter),
      region: region)
    return try resampler.apply(to: bitmap, cancellation: cancellation)
  }

  /// The size a picture of size `source` gets; no side is ever 0.
  public func outputSize(for source: PixelSize) -> PixelSize {
    let (wide, high) = (Double(source.width), Double(source.height))
    let (scaleX, scaleY) = (Double(size.width) / wide, Double(size.height) / high)
    switch mode {
    case .exact:
      guard upscales else {
        return PixelSize(
          width: min(size.width, source.width), height: min(size.height, source.height))
      }
      return size
    case .fit:
      let scale = min(scaleX, scaleY)
      if scale >= 1, !upscales { return source }
      // The side that decides is met exactly.
      return PixelSize(
        width: scaleX <= scaleY ? size.width : Self.side(wide * scale),
        height: scaleY <= scaleX ? size.height : Self.side(high * scale))
    case .fill:
      let scale = max(scaleX, scaleY)
      if scale <= 1 || upscales { return size }
      return PixelSize(
        width: min(source.width, Self.side(Double(size.width) / scale)),
        height: min(source.height, Self.side(Double(size.height) / scale)))
    }
  }

  /// The part of the source that is shown.
  private func box(
    in source: PixelSize, for output: PixelSize
  ) -> (ClosedRange<Double>, ClosedRange<Double>) {
    let (wide, high) = (Double(source.width), Double(source.height))
    guard mode == .fill else { return (0...wide, 0...high) }
    let scale = min(wide / Double(output.width), high / Double(output.height))
    let (width, height) = (Double(output.width) * scale, Double(output.height) * scale)
    let (left, top) = (max(0, (wide - width) / 2), max(0, (high - height) / 2))
    return (left...max(left, min(wide, left + width)), top...max(top, min(high, top + height)))
  }

  private static func side(_ length: Double) -> Int {
    length < 1e9 ? max(1, Int(length.rounded())) : 1_000_000_000
  }
}

extension Resize: MemoryMaking {}

extension ImageTransform where Self == Resize {
  /// As large as fits inside `size`, aspect kept.
  public static func resize(
    fitting size: PixelSize, filter: ResampleFilter = .lanczos3, upscales: Bool = false
  ) -> Resize { Resize(to: size, mode: .fit, filter: filter, upscales: upscales) }

  /// Covers `size`, aspect kept, cut around the centre.
  public static func resize(
    filling size: PixelSize, filter: ResampleFilter = .lanczos3, upscales: Bool = false
  ) -> Resize { Resize(to: size, mode: .fill, filter: filter, upscales: upscales) }

  /// Stretches to `size`.
  public static func resize(
    to size: PixelSize, filter: ResampleFilter = .lanczos3, upscales: Bool = true
  ) -> Resize { Resize(to: size, mode: .exact, filter: filter, upscales: upscales) }
}
