/// Where a decoder's rows become a bitmap: colours converted, shrunk, turned upright, row by row.
///
/// A decoder asks for room for its next rows, writes RGBA there, and commits them. Where nothing
/// has to be done to the rows, the room is the bitmap's own memory.
final class RasterTarget {
  /// Size of the bitmap.
  let size: PixelSize
  /// Rows committed in this pass, as the decoder counts them.
  private(set) var rowCount = 0
  /// Whether a pass over all rows has been committed before.
  private(set) var hasPass = false

  private let sourceSize: PixelSize
  private let hasAlpha: Bool
  private let conversion: (any RowConversion)?
  private let orientation: Orientation
  private let factor: Int
  private var shrinker: RowShrinker?
  private let placement: RowPlacement
  private let storage: PixelStorage
  private let strip: PixelStorage?

  /// Rows that there is room for at a time.
  static let rowsAtATime = 16

  /// Reserves the memory.
  ///
  /// - Parameters:
  ///   - sourceSize: Size of the picture as the decoder gives it; at least 1×1.
  ///   - factor: Shrinks by this whole factor.
  /// - Throws: `.outOfMemory`.
  init(
    sourceSize: PixelSize, hasAlpha: Bool, orientation: Orientation = .up, factor: Int = 1,
    conversion: (any RowConversion)? = nil
  ) throws(DecodeError) {
    self.sourceSize = sourceSize
    self.hasAlpha = hasAlpha
    self.orientation = orientation
    self.factor = factor
    self.conversion = conversion
    shrinker =
      factor > 1
      ? RowShrinker(sourceSize: sourceSize, factor: factor, isOpaque: !hasAlpha) : nil
    let shrunkSize = shrinker?.size ?? sourceSize
    size = orientation.turning(shrunkSize)
    placement = RowPlacement(storedSize: shrunkSize, orientation: orientation)
    storage = try PixelStorage.reserving(size.width * size.height * 4)
    let isDirect = factor == 1 && orientation == .up
    let rows = min(Self.rowsAtATime, sourceSize.height)
    strip = isDirect ? nil : try PixelStorage.reserving(sourceSize.width * 4 * (rows + 1))
    if !isDirect { storage.clear() }
  }

  /// Bytes from one row to the next, in the room that `room()` gives.
  var stride: Int { sourceSize.width * 4 }
  /// Whether every row of this pass is committed.
  var isFull: Bool { rowCount == sourceSize.height }

  /// Room for the next rows, and for how many; the same until they are committed.
  func room() -> (rows: UnsafeMutablePointer<UInt8>, count: Int) {
    let count = min(Self.rowsAtATime, sourceSize.height - rowCount)
    let base = (strip ?? storage).pointer
    return (strip == nil ? base + rowCount * stride : base, count)
  }

  /// Room for all rows at once, for decoders that write the picture whole; `nil` where rows are
  /// shrunk or turned on the way.
  var wholeRoom: UnsafeMutableBufferPointer<UInt8>? {
    guard strip == nil else { return nil }
    return UnsafeMutableBufferPointer(start: storage.pointer, count: storage.bytes.count)
  }

  /// Takes all rows before `row`, written where `wholeRoom` said.
  func commit(upTo row: Int) {
    while rowCount < row { commit(min(Self.rowsAtATime, row - rowCount)) }
  }

  /// Takes the first `count` rows of the room.
  func commit(_ count: Int) {
    let (rows, limit) = room()
    precondition(count <= limit, "more rows than there is room for")
    if let conversion {
      for row in 0..<count { conversion.convert(rows + row * stride, count: sourceSize.width) }
    }
    if strip != nil { place(rows, count: count) }
    rowCount += count
    if isFull { hasPass = true }
  }

  /// Takes one row from elsewhere.
  func commitCopy(of row: UnsafePointer<UInt8>) {
    guard !isFull else { return }
    guard shrinker != nil, conversion == nil else {
      room().rows.update(from: row, count: stride)
      return commit(1)
    }
    shrink(row)
    rowCount += 1
    if isFull { hasPass = true }
  }

  /// Begins another pass over all rows, better than the last.
  func restart() {
    rowCount = 0
    guard factor > 1 else { return }
    shrinker = RowShrinker(sourceSize: sourceSize, factor: factor, isOpaque: !hasAlpha)
  }

  private func place(_ rows: UnsafeMutablePointer<UInt8>, count: Int) {
    guard shrinker != nil else {
      return placeBlock(rows, firstRow: rowCount, count: count, width: sourceSize.width)
    }
    for row in 0..<count { shrink(rows + row * stride) }
  }

  private func shrink(_ row: UnsafePointer<UInt8>) {
    guard let strip, let done = shrinker?.row, let width = shrinker?.size.width else { return }
    let shrunk = strip.pointer + Self.rowsAtATime(in: sourceSize) * stride
    if shrinker?.take(row, into: shrunk) == true {
      placeBlock(shrunk, firstRow: done, count: 1, width: width)
    }
  }

  private static func rowsAtATime(in size: PixelSize) -> Int { min(rowsAtATime, size.height) }

  /// Writes rows where the orientation puts them; by columns of the block, so that turned rows
  /// fill whole cache lines.
  private func placeBlock(
    _ rows: UnsafeMutablePointer<UInt8>, firstRow: Int, count: Int, width: Int
  ) {
    let pixels = UnsafeMutableRawPointer(rows).assumingMemoryBound(to: UInt32.self)
    let output = storage.bytes.baseAddress!.assumingMemoryBound(to: UInt32.self)  // SAFETY: ≥ 1 px
    let step = placement.pixelStep
    if !orientation.swapsSides {
      for row in 0..<count {
        let line = output + placement.start(ofRow: firstRow + row)
        let source = pixels + row * width
        if step == 1 {
          line.update(from: source, count: width)
        } else {
          for x in 0..<width { line[-x] = source[x] }
        }
      }
      return
    }
    let starts = (0..<count).map { placement.start(ofRow: firstRow + $0) }
    starts.withUnsafeBufferPointer { starts in
      for x in 0..<width {
        for row in 0..<count { output[starts[row] &+ x &* step] = pixels[row &* width &+ x] }
      }
    }
  }
}

// What comes out.
extension RasterTarget {
  /// A copy of what is there, the rest transparent; `nil` before the first row.
  func snapshot() -> Bitmap? {
    guard rowCount > 0 || hasPass else { return nil }
    guard let copy = PixelStorage(uninitializedByteCount: storage.bytes.count) else { return nil }
    let valid = strip != nil || hasPass ? storage.bytes.count : rowCount * stride
    copy.bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage.bytes[..<valid]))
    copy.clear(from: valid)
    return Bitmap(size: size, hasAlpha: hasAlpha || !(isFull || hasPass), storage: copy)
  }

  /// The bitmap; rows that were not committed are transparent. Nothing may be committed after.
  func finish() -> Bitmap {
    let isWhole = isFull || hasPass
    if !isWhole, strip == nil { storage.clear(from: rowCount * stride) }
    return Bitmap(size: size, hasAlpha: hasAlpha || !isWhole, storage: storage)
  }
}

/// Changes the colours of a row in place.
protocol RowConversion {
  /// Converts `count` pixels of four bytes each.
  func convert(_ pixels: UnsafeMutablePointer<UInt8>, count: Int)
}

extension PixelStorage {
  /// Memory of unknown contents, or `.outOfMemory`.
  static func reserving(_ byteCount: Int) throws(DecodeError) -> PixelStorage {
    guard let storage = PixelStorage(uninitializedByteCount: byteCount) else {
      throw .outOfMemory(byteCount: byteCount)
    }
    return storage
  }

  /// The first byte.
  var pointer: UnsafeMutablePointer<UInt8> {
    // SAFETY: storage is never empty, so there is a base address; bytes are of trivial type.
    bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
  }

  /// Makes all bytes from `offset` on zero.
  func clear(from offset: Int = 0) {
    UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
      .initializeMemory(as: UInt8.self, repeating: 0)
  }
}
