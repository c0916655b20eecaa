/// Transforms in order, as one.
public struct TransformChain: ImageTransform {
  /// In order.
  public var transforms: [any ImageTransform]

  /// Puts transforms in order.
  public init(_ transforms: [any ImageTransform]) { self.transforms = transforms }

  /// The keys of those that have an effect; empty if none has.
  public var key: String {
    transforms.map(\.key).filter { !$0.isEmpty }.joined(separator: ";")
  }

  /// The picture after the last transform. A crop before a resize costs no pass of its own.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    var bitmap = bitmap
    var rest = transforms[...]
    while let transform = rest.popFirst() {
      if cancellation.isCancelled { throw .cancelled }
      if let crop = transform as? Crop, let resize = rest.first as? Resize {
        rest.removeFirst()
        bitmap = try resize.apply(
          to: bitmap, region: crop.region(in: bitmap.size), cancellation: cancellation)
      } else {
        bitmap = try transform.apply(to: bitmap, cancellation: cancellation)
      }
    }
    return bitmap
  }
}
