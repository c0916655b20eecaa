/// Sharpens by adding what a blur takes away.
public struct Sharpen: ImageTransform, Hashable {
  /// How much is added: 0 is nothing, 1 doubles the difference.
  public var amount: Double
  /// Standard deviation of the blur, in pixels.
  public var sigma: Double

  /// Sharpens by `amount`.
  public init(amount: Double, sigma: Double = 1) {
    self.amount = amount
    self.sigma = sigma
  }

  /// Amount and sigma; empty when nothing is added.
  public var key: String {
    amount == 0 || Blur(sigma: sigma).key.isEmpty ? "" : "sharpen(\(amount),\(sigma))"
  }

  /// The sharpened picture, alpha unchanged; the same bitmap when nothing is added.
  ///
  /// - Throws: `.invalidParameter` for an amount outside 0…100 or a sigma outside 0…10,000.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    try changing(copyOf: bitmap, cancellation)
  }
}

extension Sharpen: RowTransform {
  func change(
    of bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> RowChange? {
    try TransformLimits.check(amount, in: 0...100, name: "amount", transform: "sharpen")
    try TransformLimits.check(sigma, in: 0...10_000, name: "sigma", transform: "sharpen")
    guard !key.isEmpty else { return nil }
    let blurred = try Blur(sigma: sigma).apply(to: bitmap, cancellation: cancellation)
    let (factor, width) = (Float(amount), bitmap.width)
    return RowChange(hasAlpha: bitmap.hasAlpha) { rows in
      blurred.withUnsafeBytes { bytes in
        let soft = bytes.assumingMemoryBound(to: SIMD4<UInt8>.self)
        for y in rows.range {
          let line = rows[y]
          for x in line.indices where line[x].w > 0 {
            line[x] = Self.sharpened(line[x], soft[y * width + x], factor)
          }
        }
      }
    }
  }

  private static func sharpened(
    _ pixel: SIMD4<UInt8>, _ soft: SIMD4<UInt8>, _ factor: Float
  ) -> SIMD4<UInt8> {
    let value = SIMD4<Float>(pixel)
    let sharp = value + (value - SIMD4<Float>(soft)) * factor
    return sharp.pixel(alpha: pixel.w)
  }
}

extension SIMD4<Float> {
  /// Components rounded and brought into 0…255, what is no number 0, and another alpha.
  func pixel(alpha: UInt8) -> SIMD4<UInt8> {
    let numbers = replacing(with: 0, where: self .!= self)
    let clamped = (numbers + 0.5).clamped(
      lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 255))
    var result = SIMD4<UInt8>(truncatingIfNeeded: SIMD4<Int32>(clamped))
    result.w = alpha
    return result
  }
}

extension ImageTransform where Self == Sharpen {
  /// Adds what a blur takes away.
  public static func sharpen(amount: Double, sigma: Double = 1) -> Sharpen {
    Sharpen(amount: amount, sigma: sigma)
  }
}
