/// What a transform refuses to make.
enum TransformLimits {
  /// Pixels of a result.
  static let pixels = 100_000_000

  /// Passes a size on; fails with `.tooLarge` beyond the limit, or when a side is not positive.
  static func check(_ size: PixelSize, transform: String) throws(TransformError) {
    guard size.width > 0, size.height > 0 else {
      throw .invalidParameter(transform: transform, reason: "\(size) is no size of a picture")
    }
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard !overflow, pixels <= Self.pixels else { throw .tooLarge(size, limit: Self.pixels) }
  }

  /// Passes a number on; fails when it is not finite or outside `range`.
  static func check(
    _ value: Double, in range: ClosedRange<Double>, name: String, transform: String
  ) throws(TransformError) {
    guard range.contains(value) else {
      throw .invalidParameter(
        transform: transform,
        reason: "its \(name) of \(value) is not from \(range.lowerBound) to \(range.upperBound)")
    }
  }
}

extension PixelStorage {
  /// Memory for a result, whose contents nobody knows yet.
  static func reserve(for size: PixelSize) throws(TransformError) -> PixelStorage {
    guard let storage = PixelStorage(uninitializedByteCount: size.width * size.height * 4) else {
      throw .tooLarge(size, limit: TransformLimits.pixels)
    }
    return storage
  }
}
