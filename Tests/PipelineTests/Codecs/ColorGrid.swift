import Pipeline

/// Means of a picture over 8×8 cells, as the corpus states them.
enum ColorGrid {
  /// The grid of `bitmap`: each cell is weighed by area, its colours by alpha too.
  static func of(_ bitmap: Bitmap) -> CorpusManifest.Grid {
    let columns = spans(bitmap.width)
    let rows = spans(bitmap.height)
    return bitmap.withUnsafeBytes { bytes in
      rows.map { row in
        columns.map { column in
          var (sums, alpha, area) = ([0.0, 0.0, 0.0], 0.0, 0.0)
          for (y, tall) in row {
            for (x, wide) in column {
              let offset = (y * bitmap.width + x) * 4
              let weight = tall * wide
              let visible = Double(bytes[offset + 3]) * weight
              for channel in 0..<3 { sums[channel] += Double(bytes[offset + channel]) * visible }
              alpha += visible
              area += weight
            }
          }
          guard alpha > 0 else { return [0, 0, 0, 0] }
          return sums.map { $0 / alpha } + [alpha / area]
        }
      }
    }
  }

  /// For each of eight cells, the pixels it covers along one side and how much of each.
  private static func spans(_ length: Int) -> [[(Int, Double)]] {
    (0..<8).map { cell in
      let (start, end) = (Double(cell * length) / 8, Double((cell + 1) * length) / 8)
      return (Int(start)..<min(length, Int(end.rounded(.up)))).compactMap { pixel in
        let covered = min(end, Double(pixel + 1)) - max(start, Double(pixel))
        return covered > 0 ? (pixel, covered) : nil
      }
    }
  }

  /// The largest difference of two grids in their first `rows` rows, in levels.
  static func difference(
    _ left: CorpusManifest.Grid, _ right: CorpusManifest.Grid, rows: Int = 8
  ) -> Double {
    var largest = 0.0
    for (leftRow, rightRow) in zip(left, right).prefix(rows) {
      for (a, b) in zip(leftRow, rightRow) {
        largest = max(largest, abs(a[3] - b[3]))
        let visible = max(a[3], b[3]) / 255
        for channel in 0..<3 { largest = max(largest, abs(a[channel] - b[channel]) * visible) }
      }
    }
    return largest
  }
}
