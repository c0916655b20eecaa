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

extension Bitmap {
  /// A bitmap whose pixel at each place is the one found at `source` of it.
  func rearranged(
    to size: PixelSize, _ cancellation: CancellationFlag,
    source: (_ x: Int, _ y: Int) -> (x: Int, y: Int)
  ) throws(TransformError) -> Bitmap {
    let storage = try PixelStorage.reserve(for: size)
    try withUnsafeBytes { bytes throws(TransformError) in
      for y in 0..<size.height {
        if y % 64 == 0, cancellation.isCancelled { throw .cancelled }
        for x in 0..<size.width {
          let (fromX, fromY) = source(x, y)
          let pixel = bytes.load(fromByteOffset: (fromY * width + fromX) * 4, as: UInt32.self)
          storage.bytes.storeBytes(
            of: pixel, toByteOffset: (y * size.width + x) * 4, as: UInt32.self)
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
