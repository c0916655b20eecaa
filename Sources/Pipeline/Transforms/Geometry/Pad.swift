/// Puts a picture on a larger canvas of one colour.
public struct Pad: ImageTransform, Hashable {
  /// The least size of the canvas; a side of the picture that is longer is kept.
  public var size: PixelSize
  /// Where the picture lies on it.
  public var anchor: Anchor
  /// The colour around it.
  public var color: Pixel

  /// Asks for a canvas.
  public init(to size: PixelSize, anchor: Anchor = .center, color: Pixel = .clear) {
    self.size = size
    self.anchor = anchor
    self.color = color
  }

  /// Size, anchor and colour.
  public var key: String {
    "pad(\(size.width)x\(size.height),\(anchor.rawValue),\(color.keyPart))"
  }

  /// The picture on its canvas; the same bitmap if the canvas is no larger.
  ///
  /// - Throws: `.invalidParameter` for a side below 1, `.tooLarge` beyond 100 megapixels.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    try TransformLimits.checkSides(size, transform: "pad")
    let canvas = PixelSize(
      width: max(size.width, bitmap.width), height: max(size.height, bitmap.height))
    try TransformLimits.check(canvas, transform: "pad")
    guard canvas != bitmap.size else { return bitmap }
    let (x, y) = anchor.origin(of: bitmap.size, in: canvas)
    let storage = try PixelStorage.reserve(for: canvas)
    let fill = SIMD4(color.red, color.green, color.blue, color.alpha)
    let overlay = Overlay(picture: bitmap, x: x, y: y, blend: .normal, opacity: 1)
    try Bands.run(rowsOf: canvas, cancellation: cancellation) { range in
      let rows = PixelRows(range, of: storage, width: canvas.width)
      for row in range { rows[row].update(repeating: fill) }
      overlay.draw(on: rows)
    }
    return Bitmap(
      size: canvas, hasAlpha: color.alpha < 255, storage: storage)
  }
}

extension Pad: MemoryMaking {}

extension Pixel {
  /// Eight hexadecimal digits, as keys name a colour.
  var keyPart: String { hexadecimal([red, green, blue, alpha]) }
}

extension ImageTransform where Self == Pad {
  /// Puts the picture on a canvas of at least `size`.
  public static func pad(
    to size: PixelSize, anchor: Anchor = .center, color: Pixel = .clear
  ) -> Pad { Pad(to: size, anchor: anchor, color: color) }
}
