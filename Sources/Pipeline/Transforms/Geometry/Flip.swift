/// Mirrors a picture.
public struct Flip: ImageTransform, Hashable {
  /// Which sides change places.
  public enum Axis: String, Sendable, Hashable {
    /// Left and right.
    case horizontal
    /// Top and bottom.
    case vertical
  }

  /// Which sides change places.
  public var axis: Axis

  /// Mirrors along `axis`.
  public init(_ axis: Axis) { self.axis = axis }

  /// The axis.
  public var key: String { "flip(\(axis.rawValue))" }

  /// The mirrored picture. Fails only when cancelled or out of memory.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    let (right, bottom) = (bitmap.width - 1, bitmap.height - 1)
    switch axis {
    case .horizontal:
      return try bitmap.rearranged(to: bitmap.size, cancellation) { x, y in (right - x, y) }
    case .vertical:
      return try bitmap.rearranged(to: bitmap.size, cancellation) { x, y in (x, bottom - y) }
    }
  }
}

extension Flip: QuarterTurning, MemoryMaking {
  var swapsSides: Bool? { false }
}

extension Bitmap {
  private static let squareSide = 16

  /// A bitmap whose pixel at each place is the one found at `source` of it.
  func rearranged(
    to size: PixelSize, _ cancellation: CancellationFlag,
    source: @escaping @Sendable (_ x: Int, _ y: Int) -> (x: Int, y: Int)
  ) throws(TransformError) -> Bitmap {
    let storage = try PixelStorage.reserve(for: size)
    try Bands.run(rowsOf: size, cancellation: cancellation) { rows in
      let target = PixelRows(rows, of: storage, width: size.width)
      withUnsafeBytes { bytes in
        let pixels = bytes.assumingMemoryBound(to: SIMD4<UInt8>.self)
        // Small squares: a quarter turn walks along columns, whose lines stay in the cache so.
        for left in stride(from: 0, to: size.width, by: Self.squareSide) {
          let columns = left..<min(size.width, left + Self.squareSide)
          for y in rows {
            let line = target[y]
            for x in columns {
              let (fromX, fromY) = source(x, y)
              line[x] = pixels[fromY * width + fromX]
            }
          }
        }
      }
    }
    return Bitmap(size: size, hasAlpha: hasAlpha, storage: storage)
  }
}

extension ImageTransform where Self == Flip {
  /// Mirrors along an axis.
  public static func flip(_ axis: Flip.Axis) -> Flip { Flip(axis) }
}
