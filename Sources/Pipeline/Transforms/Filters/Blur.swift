private import CPixelShims

/// A Gaussian blur. Beyond the edges the outermost pixels go on.
///
/// Up to a sigma of 2 the Gaussian itself, beyond that three boxes of fractional width whose
/// variance is exactly that of the Gaussian: their time does not depend on sigma.
public struct Blur: ImageTransform, Hashable {
  /// Standard deviation, in pixels.
  public var sigma: Double

  private static let largestSigma = 10_000.0

  /// Blurs by `sigma`.
  public init(sigma: Double) { self.sigma = sigma }

  /// Sigma; empty for 0.
  public var key: String { sigma == 0 ? "" : "blur(\(sigma))" }

  /// The blurred picture; the same bitmap for a sigma of 0.
  ///
  /// - Throws: `.invalidParameter` for a sigma outside 0…10,000.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    try TransformLimits.check(
      sigma, in: 0...Self.largestSigma, name: "sigma", transform: "blur")
    // Below this no neighbour has a weight that shows.
    guard sigma >= 0.1 else { return bitmap }
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

/// Three boxes in a row, along rows and then along columns.
private struct BoxBlur {
  let radius: Int
  let part: Float

  /// A box of radius r and part a has the variance ((2r+1)³ − (2r+1))/12 + 2a(r+1)² over its width
  /// 2r+1+2a; three of them shall have that of the Gaussian.
  init(sigma: Double) {
    let variance = sigma * sigma / 3
    let radius = Int(((12 * variance + 1).squareRoot() - 1) / 2)
    let r = Double(radius)
    let whole = r * (r + 1) * (2 * r + 1) / 3
    let missing = variance * (2 * r + 1) - whole
    self.radius = radius
    part = Float(missing / (2 * ((r + 1) * (r + 1) - variance)))
  }

  func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    let storage = try PixelStorage.reserve(for: bitmap.size)
    let rowLength = bitmap.width * 4
    guard let plane = PixelStorage(uninitializedByteCount: rowLength * bitmap.height * 4) else {
      throw .tooLarge(bitmap.size, limit: TransformLimits.pixels)
    }
    let pixels = plane.bytes.bindMemory(to: Float.self)
    try blurRows(of: bitmap, into: pixels, cancellation)
    try blurColumns(of: pixels, size: bitmap.size, cancellation)
    for row in 0..<bitmap.height {
      px_store_row(
        pixels.baseAddress?.advanced(by: row * rowLength),
        storage.bytes.baseAddress?.advanced(by: row * rowLength)
          .assumingMemoryBound(to: UInt8.self), bitmap.width, bitmap.hasAlpha ? 0 : 1)
    }
    return Bitmap(size: bitmap.size, hasAlpha: bitmap.hasAlpha, storage: storage)
  }

  private func blurRows(
    of bitmap: Bitmap, into pixels: UnsafeMutableBufferPointer<Float>,
    _ cancellation: CancellationFlag
  ) throws(TransformError) {
    let length = bitmap.width * 4
    let scratch = Scratch(count: length)
    try bitmap.withUnsafeBytes { bytes throws(TransformError) in
      for row in 0..<bitmap.height {
        if row % 16 == 0, cancellation.isCancelled { throw .cancelled }
        guard let line = pixels.baseAddress?.advanced(by: row * length) else { return }
        px_load_row(
          bytes.baseAddress?.advanced(by: row * length).assumingMemoryBound(to: UInt8.self), line,
          bitmap.width, bitmap.hasAlpha ? 0 : 1)
        scratch.boxes(line, stride: 4, count: bitmap.width, width: 4, self)
      }
    }
  }

  /// Strips of columns that stay in the processor's cache through the three boxes.
  private func blurColumns(
    of pixels: UnsafeMutableBufferPointer<Float>, size: PixelSize,
    _ cancellation: CancellationFlag
  ) throws(TransformError) {
    let (length, strip) = (size.width * 4, 32)
    let scratch = Scratch(count: size.height * strip)
    for column in stride(from: 0, to: length, by: strip) {
      if cancellation.isCancelled { throw .cancelled }
      guard let top = pixels.baseAddress?.advanced(by: column) else { return }
      scratch.boxes(
        top, stride: length, count: size.height, width: min(strip, length - column), self)
    }
  }

  /// Buffers between the boxes.
  private final class Scratch {
    private let one: UnsafeMutablePointer<Float>
    private let two: UnsafeMutablePointer<Float>

    init(count: Int) {
      one = .allocate(capacity: count)
      two = .allocate(capacity: count)
    }

    func boxes(
      _ line: UnsafeMutablePointer<Float>, stride: Int, count: Int, width: Int, _ blur: BoxBlur
    ) {
      let (radius, part) = (blur.radius, blur.part)
      px_box(line, stride, one, width, count, width, radius, part)
      px_box(one, width, two, width, count, width, radius, part)
      px_box(two, width, line, stride, count, width, radius, part)
    }

    deinit {
      one.deallocate()
      two.deallocate()
    }
  }
}

extension ImageTransform where Self == Blur {
  /// A Gaussian blur.
  public static func blur(sigma: Double) -> Blur { Blur(sigma: sigma) }
}
