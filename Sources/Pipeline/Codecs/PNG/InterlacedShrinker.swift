/// Shrinks an interlaced picture by a whole factor while its passes come, to the same pixels as
/// `RowShrinker`. Holds sums for the pixels of the result, and one row.
final class InterlacedShrinker {
  /// Size of the shrunk picture.
  let size: PixelSize
  private let sourceSize: PixelSize
  private let conversion: (any RowConversion)?
  /// For each pixel of the result: red, green, blue (times alpha), alpha, and pixels that have come.
  private let sums: PixelStorage
  private let columnOf: [Int32]
  private let strip: PixelStorage

  /// From this factor on, sums need less memory than the picture.
  static let smallestFactor = 3
  private static let sumByteCount = 20

  /// - Throws: `.outOfMemory`.
  init(
    sourceSize: PixelSize, factor: Int, conversion: (any RowConversion)?
  ) throws(DecodeError) {
    self.sourceSize = sourceSize
    self.conversion = conversion
    let size = PixelSize(
      width: max(1, sourceSize.width / factor), height: max(1, sourceSize.height / factor))
    self.size = size
    sums = try PixelStorage.reserving(size.width * size.height * Self.sumByteCount)
    sums.clear()
    columnOf = (0..<sourceSize.width).map { Int32($0 * size.width / sourceSize.width) }
    strip = try PixelStorage.reserving(sourceSize.width * 4)
  }

  /// First column of each pass, and columns from one of its pixels to the next.
  private static let columns = [(0, 8), (4, 8), (0, 4), (2, 4), (0, 2), (1, 2), (0, 1)]

  /// Takes row `y` of the picture, in which only the pixels of the pass count.
  func take(_ row: UnsafePointer<UInt8>, at y: Int, ofPass pass: Int) {
    let (first, step) = Self.columns[pass]
    guard first < sourceSize.width else { return }
    let pixels = strip.pointer
    var count = 0
    for x in stride(from: first, to: sourceSize.width, by: step) {
      (pixels + count * 4).update(from: row + x * 4, count: 4)
      count += 1
    }
    conversion?.convert(pixels, count: count)
    let start = y * size.height / sourceSize.height * size.width
    sums.bytes.withMemoryRebound(to: UInt32.self) { sums in
      for index in 0..<count {
        let sum = (start + Int(columnOf[first + index * step])) * 5
        let alpha = UInt32(pixels[index * 4 + 3])
        for channel in 0..<3 {
          sums[sum + channel] &+= UInt32(pixels[index * 4 + channel]) &* alpha
        }
        sums[sum + 3] &+= alpha
        sums[sum + 4] &+= 1
      }
    }
  }

  /// What has come; pixels of which nothing has come are transparent.
  func picture(hasAlpha: Bool) throws(DecodeError) -> Bitmap {
    let storage = try PixelStorage.reserving(size.width * size.height * 4)
    let output = storage.pointer
    sums.bytes.withMemoryRebound(to: UInt32.self) { sums in
      for pixel in 0..<(size.width * size.height) {
        let (alpha, count) = (sums[pixel * 5 + 3], max(1, sums[pixel * 5 + 4]))
        for channel in 0..<3 {
          output[pixel * 4 + channel] =
            alpha == 0
            ? 0 : UInt8(truncatingIfNeeded: (sums[pixel * 5 + channel] &+ alpha / 2) / alpha)
        }
        output[pixel * 4 + 3] = UInt8(truncatingIfNeeded: (alpha &+ count / 2) / count)
      }
    }
    return Bitmap(size: size, hasAlpha: hasAlpha, storage: storage)
  }
}
