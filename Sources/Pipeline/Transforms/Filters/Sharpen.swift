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

  /// Amount and sigma; empty when either is 0.
  public var key: String { amount == 0 || sigma == 0 ? "" : "sharpen(\(amount),\(sigma))" }

  /// The sharpened picture, alpha unchanged.
  ///
  /// - Throws: `.invalidParameter` for an amount outside 0…100 or a sigma outside 0…10,000.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    try TransformLimits.check(amount, in: 0...100, name: "amount", transform: "sharpen")
    try TransformLimits.check(sigma, in: 0...10_000, name: "sigma", transform: "sharpen")
    guard !key.isEmpty else { return bitmap }
    let blurred = try Blur(sigma: sigma).apply(to: bitmap, cancellation: cancellation)
    let factor = Float(amount)
    return bitmap.changed(hasAlpha: bitmap.hasAlpha) { pixels in
      blurred.withUnsafeBytes { soft in
        for offset in stride(from: 0, to: pixels.count, by: 4) {
          for channel in offset..<(offset + 3) {
            let sharp = Float(pixels[channel])
            let value = sharp + (sharp - Float(soft[channel])) * factor + 0.5
            pixels[channel] = UInt8(min(255, max(0, value)))
          }
        }
      }
    }
  }
}

/// Shows a picture as squares of one colour each, the mean of what they cover.
public struct Pixelate: ImageTransform, Hashable {
  /// Pixels on a side of a square.
  public var side: Int

  /// Makes squares of `side` pixels.
  public init(side: Int) { self.side = side }

  /// The side; empty for 1.
  public var key: String { side == 1 ? "" : "pixelate(\(side))" }

  /// The picture in squares; the same bitmap for a side of 1.
  ///
  /// - Throws: `.invalidParameter` for a side below 1.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    guard side >= 1 else {
      throw .invalidParameter(transform: "pixelate", reason: "a side of \(side) is no size")
    }
    guard side > 1 else { return bitmap }
    let side = min(side, max(bitmap.width, bitmap.height))
    return bitmap.changed(hasAlpha: bitmap.hasAlpha) { pixels in
      for top in stride(from: 0, to: bitmap.height, by: side) {
        if cancellation.isCancelled { return }
        for left in stride(from: 0, to: bitmap.width, by: side) {
          let (right, bottom) = (min(left + side, bitmap.width), min(top + side, bitmap.height))
          Self.level(pixels, bitmap.width, left..<right, top..<bottom)
        }
      }
    }
  }

  private static func level(
    _ pixels: UnsafeMutableRawBufferPointer, _ width: Int, _ columns: Range<Int>, _ rows: Range<Int>
  ) {
    var sum = SIMD4<Float>.zero
    for y in rows {
      var line = SIMD4<Float>.zero
      for x in columns {
        line += Sampler.premultiplied(UnsafeRawBufferPointer(pixels), at: (y * width + x) * 4)
      }
      sum += line / Float(columns.count)
    }
    let mean = Sampler.straight(sum / Float(rows.count))
    for y in rows {
      for x in columns {
        pixels.storeBytes(of: mean, toByteOffset: (y * width + x) * 4, as: UInt32.self)
      }
    }
  }
}

extension ImageTransform where Self == Sharpen {
  /// Adds what a blur takes away.
  public static func sharpen(amount: Double, sigma: Double = 1) -> Sharpen {
    Sharpen(amount: amount, sigma: sigma)
  }
}

extension ImageTransform where Self == Pixelate {
  /// Shows squares of one colour.
  public static func pixelate(side: Int) -> Pixelate { Pixelate(side: side) }
}
