/// A change of pixels: a value with a stable key.
public protocol ImageTransform: Sendable {
  /// Names the change and its parameters; equal keys promise equal results.
  ///
  /// Empty when the change has no effect: the image keeps its key.
  var key: String { get }

  /// The changed pixels.
  ///
  /// - Parameters:
  ///   - bitmap: Straight alpha, sRGB.
  ///   - cancellation: Long work looks at it between bands of rows and throws `.cancelled`.
  func apply(to bitmap: Bitmap, cancellation: CancellationFlag) throws(TransformError) -> Bitmap
}

/// Why pixels were not changed.
public enum TransformError: Error, Sendable, Hashable {
  /// A parameter can not be used; `reason` is one sentence without full stop.
  case invalidParameter(transform: String, reason: String)
  /// The result would have more pixels than allowed.
  case tooLarge(PixelSize, limit: Int)
  /// A transform of the user failed; `reason` is its error, in words.
  case failed(transform: String, reason: String)
  /// The work was cancelled.
  case cancelled
}

extension TransformError: CustomStringConvertible {
  /// One plain sentence, without full stop.
  public var description: String {
    switch self {
    case .invalidParameter(let transform, let reason): "\(transform) can not be done: \(reason)"
    case .tooLarge(let size, let limit):
      "the result of \(size) is over the limit of \(limit) pixels"
    case .failed(let transform, let reason): "\(transform) failed: \(reason)"
    case .cancelled: "the transform was cancelled"
    }
  }
}
