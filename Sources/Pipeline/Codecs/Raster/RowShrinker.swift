/// Shrinks a picture by a whole factor, row by row: each pixel is the mean of those it covers,
/// weighed by their alpha. Holds one row of sums, whatever the size of the picture.
struct RowShrinker {
  /// Size of the shrunk picture.
  let size: PixelSize
  private let sourceSize: PixelSize
  private let columnOf: [Int32]
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

  init(sourceSize: PixelSize, factor: Int) {
    self.sourceSize = sourceSize
    let size = PixelSize(
      width: max(1, sourceSize.width / factor), height: max(1, sourceSize.height / factor))
    self.size = size
    columnOf = (0..<sourceSize.width).map { Int32($0 * size.width / sourceSize.width) }
    var counts = [UInt32](repeating: 0, count: size.width)
    for column in columnOf { counts[Int(column)] += 1 }
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
      var source = pixels
      for column in columnOf {
        let alpha = UInt32(source[3])
        let sum = Int(column) * 4
        sums[sum] &+= UInt32(source[0]) &* alpha
        sums[sum + 1] &+= UInt32(source[1]) &* alpha
        sums[sum + 2] &+= UInt32(source[2]) &* alpha
        sums[sum + 3] &+= alpha
        source += 4
      }
    }
  }

  private mutating func write(to output: UnsafeMutablePointer<UInt8>) {
    for column in 0..<size.width {
      let alpha = sums[column * 4 + 3]
      let count = columnCounts[column] &* UInt32(rowsInSum)
      for channel in 0..<3 {
        let sum = sums[column * 4 + channel]
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
