/// Transforms that may fail: if one does, the picture goes on as it was before the first of them.
public struct Attempt: ImageTransform {
  /// In order.
  public var transforms: [any ImageTransform]

  /// Tries transforms in order.
  public init(_ transforms: [any ImageTransform]) { self.transforms = transforms }

  /// The key of the transforms as one, marked; empty if none has an effect.
  public var key: String {
    let key = TransformChain(transforms).key
    return key.isEmpty ? "" : "attempt(\(key))"
  }

  /// The picture after the last transform, or `bitmap` itself where one failed.
  ///
  /// - Throws: Only `.cancelled`.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    do throws(TransformError) {
      return try TransformChain(transforms).apply(to: bitmap, cancellation: cancellation)
    } catch .cancelled {
      throw .cancelled
    } catch {
      return bitmap
    }
  }
}

extension ImageTransform where Self == Attempt {
  /// Transforms that leave the picture as it was if one of them fails.
  public static func attempt(_ transforms: any ImageTransform...) -> Attempt {
    Attempt(transforms)
  }
}
