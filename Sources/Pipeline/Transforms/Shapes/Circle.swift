/// Cuts the largest circle out of the middle of a picture, with smooth edges.
public struct Circle: ImageTransform, Hashable {
  /// Cuts a circle.
  public init() {}

  /// `circle`.
  public var key: String { "circle" }

  /// A square picture, transparent outside the circle.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    let side = min(bitmap.width, bitmap.height)
    let square = Crop(.anchored(.center, size: PixelSize(width: side, height: side)))
    return try TransformChain([square, RoundedCorners(radius: Double(side) / 2)]).apply(
      to: bitmap, cancellation: cancellation)
  }
}

extension Circle: MemoryMaking {}

extension ImageTransform where Self == Circle {
  /// Cuts out the largest circle in the middle.
  public static var circle: Circle { Circle() }
}
