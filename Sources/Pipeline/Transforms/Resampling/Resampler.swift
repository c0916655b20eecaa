private import CPixelShims

/// Changes the size of a picture: columns first, four rows at a time, then rows.
///
/// Colours are weighed multiplied with alpha, so that what is transparent lends no colour to what is
/// not. Only the rows in reach of one output row are in memory, as floats.
struct Resampler: Sendable {
  let columns: WeightTable
  let rows: WeightTable
  /// The part of the bitmap the tables speak of.
  let region: PixelRectangle

  private static let group = 4

  /// Weighs `region` of `bitmap`.
  func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    let size = PixelSize(width: columns.count, height: rows.count)
    let storage = try PixelStorage.reserve(for: size)
    // Rows in reach of two bands are weighed twice: no more bands than there are to share.
    let pixels = region.width * region.height
    let bandCount = min(Bands.partCount(pixels: pixels), rows.count)
    try Bands.run(bandCount, pixels: pixels, cancellation: cancellation) { band in
      let first = rows.count * band / bandCount
      let end = rows.count * (band + 1) / bandCount
      makeRows(first..<end, of: bitmap, in: storage, cancellation)
    }
    return Bitmap(size: size, hasAlpha: bitmap.hasAlpha, storage: storage)
  }

  private func makeRows(
    _ range: Range<Int>, of bitmap: Bitmap, in storage: PixelStorage,
    _ cancellation: CancellationFlag
  ) {
    let work = Work(columns: columns, rows: rows, inputWidth: region.width)
    let width = columns.count
    var loaded = Int(rows.starts[range.lowerBound])
    for index in range {
      if index % 16 == 0, cancellation.isCancelled { return }
      let first = Int(rows.starts[index])
      let end = min(first + rows.taps, region.height)
      while loaded < end {
        let count = min(Self.group, region.height - loaded)
        load(bitmap, from: loaded, count: count, into: work)
        loaded += count
      }
      weigh(index, reading: first..<end, work)
      px_store_row(
        work.sum,
        storage.bytes.baseAddress?.advanced(by: index * width * 4)
          .assumingMemoryBound(to: UInt8.self), width, bitmap.hasAlpha ? 0 : 1)
    }
  }

  private func load(_ bitmap: Bitmap, from row: Int, count: Int, into work: Work) {
    bitmap.withUnsafeBytes { bytes in
      for step in 0..<count {
        let offset = ((region.y + row + step) * bitmap.width + region.x) * 4
        px_load_row(
          bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: UInt8.self),
          work.input + step * work.inputStride, region.width, bitmap.hasAlpha ? 0 : 1)
      }
    }
    for step in 0..<Self.group { work.targets[step] = work.ringRow(row + step) }
    columns.starts.withUnsafeBufferPointer { starts in
      columns.weights.withUnsafeBufferPointer { weights in
        px_weigh_columns(
          work.input, work.inputStride, work.targets, starts.baseAddress, weights.baseAddress,
          columns.taps, columns.count)
      }
    }
  }

  private func weigh(_ index: Int, reading range: Range<Int>, _ work: Work) {
    for (step, row) in range.enumerated() { work.sources[step] = UnsafePointer(work.ringRow(row)) }
    rows.weights.withUnsafeBufferPointer { weights in
      px_weigh_rows(
        work.sources, weights.baseAddress?.advanced(by: index * rows.taps), range.count, work.sum,
        columns.count * 4)
    }
  }

  /// The buffers of one run.
  private final class Work {
    let inputStride: Int
    let input: UnsafeMutablePointer<Float>
    let sum: UnsafeMutablePointer<Float>
    let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    let sources: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let ring: UnsafeMutablePointer<Float>
    private let ringRows: Int
    private let rowLength: Int

    init(columns: WeightTable, rows: WeightTable, inputWidth: Int) {
      rowLength = columns.count * 4
      inputStride = max(columns.inputCount, inputWidth) * 4
      // A group may be read ahead of the rows still in use.
      ringRows = (rows.taps + 2 * Resampler.group) & ~(Resampler.group - 1)
      input = .allocate(capacity: inputStride * Resampler.group)
      input.initialize(repeating: 0, count: inputStride * Resampler.group)
      sum = .allocate(capacity: rowLength)
      ring = .allocate(capacity: rowLength * ringRows)
      targets = .allocate(capacity: Resampler.group)
      sources = .allocate(capacity: max(1, rows.taps))
    }

    func ringRow(_ row: Int) -> UnsafeMutablePointer<Float> { ring + (row % ringRows) * rowLength }

    deinit {
      input.deallocate()
      sum.deallocate()
      ring.deallocate()
      targets.deallocate()
      sources.deallocate()
    }
  }
}
