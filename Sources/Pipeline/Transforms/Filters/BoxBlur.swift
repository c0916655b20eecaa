private import CPixelShims

/// Three boxes of fractional width in a row, along rows and then along columns.
///
/// Both ways run over strips four pixels wide, whose steps lie next to one another in memory.
/// Between them the picture is kept as columns of tiles, in 128ths of a level.
struct BoxBlur: Sendable {
  private let radius: Int
  private let part: Float

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
    let tiles = try Tiles(for: bitmap.size)
    let pixels = bitmap.width * bitmap.height
    let isOpaque: Int32 = bitmap.hasAlpha ? 0 : 1
    try inRuns(of: tiles.rowCount, pixels: pixels, cancellation) { range in
      let strips = Strips(count: tiles.columnCount * 4)
      for row in range {
        if cancellation.isCancelled { return }
        bitmap.withUnsafeBytes { bytes in
          let rows = (0..<4).map { step in
            let y = min(row * 4 + step, bitmap.height - 1)
            return bytes.baseAddress?.advanced(by: y * bitmap.bytesPerRow)
              .assumingMemoryBound(to: UInt8.self)
          }
          px_strip_of_rows(rows, strips.first, bitmap.width, isOpaque)
        }
        blur(strips, count: bitmap.width)
        px_tiles_of_strip(strips.last, tiles.start(ofRow: row), tiles.stride, bitmap.width)
      }
    }
    try inRuns(of: tiles.columnCount, pixels: pixels, cancellation) { range in
      let strips = Strips(count: bitmap.height)
      for column in range {
        if cancellation.isCancelled { return }
        px_strip_of_tile(tiles.start(ofColumn: column), strips.first, bitmap.height)
        blur(strips, count: bitmap.height)
        px_columns_of_strip(
          strips.last,
          storage.bytes.baseAddress?.advanced(by: column * 16).assumingMemoryBound(to: UInt8.self),
          bitmap.bytesPerRow, bitmap.height, min(4, bitmap.width - column * 4), isOpaque)
      }
    }
    return Bitmap(size: bitmap.size, hasAlpha: bitmap.hasAlpha, storage: storage)
  }

  private func blur(_ strips: Strips, count: Int) {
    px_box(strips.first, strips.last, count, radius, part)
    px_box(strips.last, strips.first, count, radius, part)
    px_box(strips.first, strips.last, count, radius, part)
  }

  /// Strips in runs, each with buffers of its own.
  private func inRuns(
    of count: Int, pixels: Int, _ cancellation: CancellationFlag,
    _ body: @escaping @Sendable (Range<Int>) -> Void
  ) throws(TransformError) {
    let length = max(1, (count + 15) / 16)
    try Bands.run(
      (count + length - 1) / length, pixels: pixels, cancellation: cancellation
    ) { index in body((index * length)..<min(count, (index + 1) * length)) }
  }
}

/// The picture between the two ways: columns of four pixels' width, padded to whole tiles.
private struct Tiles: Sendable {
  let rowCount: Int
  let columnCount: Int
  private let storage: PixelStorage

  init(for size: PixelSize) throws(TransformError) {
    rowCount = (size.height + 3) / 4
    columnCount = (size.width + 3) / 4
    let byteCount = rowCount * columnCount * 16 * 4 * MemoryLayout<Int16>.size
    guard let storage = PixelStorage(uninitializedByteCount: byteCount) else {
      throw .tooLarge(size, limit: TransformLimits.pixels)
    }
    self.storage = storage
  }

  /// Numbers of a tile column.
  var stride: Int { rowCount * 16 * 4 }

  func start(ofRow row: Int) -> UnsafeMutablePointer<Int16> { numbers + row * 16 * 4 }
  func start(ofColumn column: Int) -> UnsafeMutablePointer<Int16> { numbers + column * stride }

  private var numbers: UnsafeMutablePointer<Int16> {
    // SAFETY: storage is never empty, and nothing but these numbers is ever in it.
    storage.bytes.baseAddress!.assumingMemoryBound(to: Int16.self)
  }
}

/// Two strips that the boxes go back and forth between.
private final class Strips {
  let first: UnsafeMutablePointer<Float>
  let last: UnsafeMutablePointer<Float>

  init(count: Int) {
    first = .allocate(capacity: count * 16)
    last = .allocate(capacity: count * 16)
  }

  deinit {
    first.deallocate()
    last.deallocate()
  }
}
