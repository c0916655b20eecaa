private import CPixelShims

/// Shrinks a picture by a whole factor, row by row: each pixel is the mean of those it covers,
/// weighed by their alpha. Holds one row of sums, whatever the size of the picture.
struct RowShrinker {
  /// Size of the shrunk picture.
  let size: PixelSize
  private let sourceSize: PixelSize
  private let isOpaque: Bool
  /// How many pixels of a row each column takes.
  private let columnCounts: [UInt32]
  private var sums: [UInt32]
  private var rowsInSum = 0
  private var sourceRow = 0
  private(set) var row = 0

  /// The largest factor whose sums cannot overflow.
  static let largestFactor = 128

  /// The factor that keeps `size` no smaller than `target` on either side; 1 for no shrinking.
  static func factor(for size: PixelSize, covering target: PixelSize?) -> Int {
    guard let target, target.width > 0, target.height > 0 else { return 1 }
    return min(max(1, min(size.width / target.width, size.height / target.height)), largestFactor)
  }

  /// - Parameter isOpaque: All alphas of all rows are 255.
  init(sourceSize: PixelSize, factor: Int, isOpaque: Bool) {
    self.sourceSize = sourceSize
    self.isOpaque = isOpaque
    let size = PixelSize(
      width: max(1, sourceSize.width / factor), height: max(1, sourceSize.height / factor))
    self.size = size
    var counts = [UInt32](repeating: 0, count: size.width)
    for x in 0..<sourceSize.width { counts[x * size.width / sourceSize.width] += 1 }
    columnCounts = counts
    sums = [UInt32](repeating: 0, count: size.width * 4)
  }

  /// Takes the next source row; when it completes a row, writes that to `output` and is `true`.
  mutating func take(
    _ pixels: UnsafePointer<UInt8>, into output: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    add(pixels)
    rowsInSum += 1
    sourceRow += 1
    let isLast = sourceRow == sourceSize.height
    guard isLast || sourceRow * size.height / sourceSize.height != row else { return false }
    write(to: output)
    row += 1
    return true
  }

  private mutating func add(_ pixels: UnsafePointer<UInt8>) {
    sums.withUnsafeMutableBufferPointer { sums in
      px_add_row(pixels, sums.baseAddress, columnCounts, size.width, isOpaque ? 1 : 0)
    }
  }

  private mutating func write(to output: UnsafeMutablePointer<UInt8>) {
    for column in 0..<size.width {
      let alpha = sums[column * 4 + 3]
      let count = columnCounts[column] &* UInt32(rowsInSum)
      for channel in 0..<3 {
        let sum = sums[column * 4 + channel] &* (isOpaque ? 255 : 1)
        output[column * 4 + channel] =
          alpha == 0 ? 0 : UInt8(truncatingIfNeeded: (sum &+ alpha / 2) / alpha)
        sums[column * 4 + channel] = 0
      }
      output[column * 4 + 3] = UInt8(truncatingIfNeeded: (alpha &+ count / 2) / count)
      sums[column * 4 + 3] = 0
    }
    rowsInSum = 0
  }
}
