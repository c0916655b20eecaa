/// A change of pixels written as a closure.
public struct CustomTransform: ImageTransform {
  /// Names the closure and all it depends on: equal names promise equal results.
  public let key: String
  private let body: @Sendable (Bitmap, CancellationFlag) throws -> Bitmap

  /// Makes a transform of `body`.
  ///
  /// - Parameters:
  ///   - name: Must not be empty and must change whenever the result would.
  ///   - body: Runs on the transform stage's workers. What it throws fails the load with
  ///     `TransformError.failed`, a `TransformError` with itself.
  public init(
    name: String, body: @escaping @Sendable (Bitmap, CancellationFlag) throws -> Bitmap
  ) {
    key = "custom(\(name))"
    self.body = body
  }

  /// What the closure gives.
  ///
  /// - Throws: `.invalidParameter` for an empty name, else what the closure throws.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    guard key != "custom()" else {
      throw .invalidParameter(transform: "custom transform", reason: "it has no name")
    }
    do {
      return try body(bitmap, cancellation)
    } catch let error as TransformError {
      throw error
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .failed(transform: key, reason: "\(error)")
    }
  }
}

extension ImageTransform where Self == CustomTransform {
  /// A closure under a name.
  public static func custom(
    _ name: String, body: @escaping @Sendable (Bitmap, CancellationFlag) throws -> Bitmap
  ) -> CustomTransform { CustomTransform(name: name, body: body) }
}
