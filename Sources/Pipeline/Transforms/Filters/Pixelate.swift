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
    let (width, height) = (bitmap.width, bitmap.height)
    let side = min(side, max(width, height))
    let storage = try PixelStorage.reserve(for: bitmap.size)
    try Bands.run(
      (height + side - 1) / side, pixels: width * height, cancellation: cancellation
    ) { index in
      let rows = (index * side)..<min(height, (index + 1) * side)
      let target = PixelRows(rows, of: storage, width: width)
      bitmap.withUnsafeBytes { bytes in
        let source = bytes.assumingMemoryBound(to: SIMD4<UInt8>.self)
        for left in stride(from: 0, to: width, by: side) {
          let columns = left..<min(left + side, width)
          let mean = Self.mean(of: source, width: width, columns, rows)
          for y in rows { target[y][columns].update(repeating: mean) }
        }
      }
    }
    return Bitmap(size: bitmap.size, hasAlpha: bitmap.hasAlpha, storage: storage)
  }

  private static func mean(
    of pixels: UnsafeBufferPointer<SIMD4<UInt8>>, width: Int, _ columns: Range<Int>,
    _ rows: Range<Int>
  ) -> SIMD4<UInt8> {
    var sum = SIMD4<Float>.zero
    for y in rows {
      var line = SIMD4<Float>.zero
      for x in columns { line += Sampler.premultiplied(pixels[y * width + x]) }
      sum += line / Float(columns.count)
    }
    return Sampler.straight(sum / Float(rows.count))
  }
}

extension Pixelate: MemoryMaking {}

extension ImageTransform where Self == Pixelate {
  /// Shows squares of one colour.
  public static func pixelate(side: Int) -> Pixelate { Pixelate(side: side) }
}
