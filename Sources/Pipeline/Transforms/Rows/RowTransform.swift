/// A transform that changes pixels where they are, each row by itself.
protocol RowTransform: ImageTransform {
  /// What is to be done to the rows of `bitmap`; `nil` when nothing is.
  ///
  /// - Throws: `.invalidParameter` for parameters that can not be used.
  func change(
    of bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> RowChange?
}

/// What happens to the rows of one bitmap.
struct RowChange: Sendable {
  /// Whether any pixel of the result may be less than opaque.
  let hasAlpha: Bool
  /// Changes some rows; several threads do, each others.
  let apply: @Sendable (PixelRows) -> Void
}

/// Some rows of a picture that is being changed.
struct PixelRows {
  /// Which rows.
  let range: Range<Int>
  private let width: Int
  private let start: UnsafeMutablePointer<SIMD4<UInt8>>

  init(_ range: Range<Int>, of storage: PixelStorage, width: Int) {
    self.range = range
    self.width = width
    // SAFETY: storage is never empty; pixels are four bytes each and aligned to them.
    start = storage.bytes.baseAddress!.assumingMemoryBound(to: SIMD4<UInt8>.self)
  }

  /// The pixels of a row, counted from the top of the picture: red, green, blue, alpha.
  subscript(row: Int) -> UnsafeMutableBufferPointer<SIMD4<UInt8>> {
    UnsafeMutableBufferPointer(start: start + row * width, count: width)
  }
}

extension RowTransform {
  /// The changed copy of a bitmap that others may hold; itself if nothing changes.
  func changing(
    copyOf bitmap: Bitmap, _ cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    guard let change = try change(of: bitmap, cancellation: cancellation) else { return bitmap }
    let storage = try PixelStorage.reserve(for: bitmap.size)
    let width = bitmap.width
    try Bands.run(rowsOf: bitmap.size, cancellation: cancellation) { rows in
      // Each band is changed while it is in the cache from being copied.
      let bytes = (rows.lowerBound * width * 4)..<(rows.upperBound * width * 4)
      bitmap.withUnsafeBytes { source in
        UnsafeMutableRawBufferPointer(rebasing: storage.bytes[bytes])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[bytes]))
      }
      change.apply(PixelRows(rows, of: storage, width: width))
    }
    return Bitmap(size: bitmap.size, hasAlpha: change.hasAlpha, storage: storage)
  }

  /// The bitmap changed where it is. Nobody else may hold it: it is the caller's own, just made.
  func changing(
    inPlace bitmap: Bitmap, _ cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    guard let change = try change(of: bitmap, cancellation: cancellation) else { return bitmap }
    let (storage, width) = (bitmap.storage, bitmap.width)
    try Bands.run(rowsOf: bitmap.size, cancellation: cancellation) { rows in
      change.apply(PixelRows(rows, of: storage, width: width))
    }
    return Bitmap(size: bitmap.size, hasAlpha: change.hasAlpha, storage: storage)
  }
}
