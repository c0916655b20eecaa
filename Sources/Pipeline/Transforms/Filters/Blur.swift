/// A Gaussian blur. Beyond the edges the outermost pixels go on.
///
/// Up to a sigma of 2 the Gaussian itself, beyond that three boxes of fractional width whose
/// variance is exactly that of the Gaussian: their time does not depend on sigma.
public struct Blur: ImageTransform, Hashable {
  /// Standard deviation, in pixels.
  public var sigma: Double

  private static let largestSigma = 10_000.0
  /// Below this no neighbour has a weight that shows.
  private static let smallestSigma = 0.1

  /// Blurs by `sigma`.
  public init(sigma: Double) { self.sigma = sigma }

  /// Sigma; empty when it is too small to show.
  public var key: String {
    (0..<Self.smallestSigma).contains(sigma) ? "" : "blur(\(sigma))"
  }

  /// The blurred picture; the same bitmap for a sigma below 0.1.
  ///
  /// - Throws: `.invalidParameter` for a sigma outside 0…10,000.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    try TransformLimits.check(
      sigma, in: 0...Self.largestSigma, name: "sigma", transform: "blur")
    guard sigma >= Self.smallestSigma else { return bitmap }
    guard sigma > 2 else {
      let all = PixelRectangle(x: 0, y: 0, width: bitmap.width, height: bitmap.height)
      return try Resampler(
        columns: WeightTable(input: bitmap.width, sigma: sigma),
        rows: WeightTable(input: bitmap.height, sigma: sigma), region: all
      ).apply(to: bitmap, cancellation: cancellation)
    }
    return try BoxBlur(sigma: sigma).apply(to: bitmap, cancellation: cancellation)
  }
}

extension Blur: MemoryMaking {}

extension ImageTransform where Self == Blur {
  /// A Gaussian blur.
  public static func blur(sigma: Double) -> Blur { Blur(sigma: sigma) }
}
