import Pipeline

/// The mean colours of eight by eight parts of a picture, as the corpus states them.
enum ColorGrid {
  /// Rows of cells of red, green, blue (weighed by alpha) and alpha, 0…255.
  static func cells(of bitmap: Bitmap) -> [[[Double]]] {
    (0..<8).map { row in
      (0..<8).map { column in
        mean(
          of: bitmap, columns: part(column, of: bitmap.width), rows: part(row, of: bitmap.height))
      }
    }
  }

  /// How far apart two grids are where they differ most; colours count as much as they are seen.
  static func distance(_ left: [[[Double]]], _ right: [[[Double]]]) -> Double {
    guard left.count == right.count else { return .infinity }
    return zip(left.joined(), right.joined()).reduce(0) { most, cells in
      let seen = max(cells.0[3], cells.1[3]) / 255
      let colors = (0..<3).map { abs(cells.0[$0] - cells.1[$0]) * seen }
      return max(most, abs(cells.0[3] - cells.1[3]), colors.max() ?? 0)
    }
  }

  /// Pixels of the part `index` of `length`, each with its share.
  private static func part(_ index: Int, of length: Int) -> [(place: Int, share: Double)] {
    let (start, end) = (Double(index * length) / 8, Double((index + 1) * length) / 8)
    return (Int(start)..<min(length, Int(end.rounded(.up)))).map { place in
      (place, min(end, Double(place + 1)) - max(start, Double(place)))
    }
  }

  private static func mean(
    of bitmap: Bitmap, columns: [(place: Int, share: Double)], rows: [(place: Int, share: Double)]
  ) -> [Double] {
    bitmap.withUnsafeBytes { bytes in
      var (red, green, blue, alpha, area) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for row in rows {
        for column in columns {
          let offset = (row.place * bitmap.width + column.place) * 4
          let share = row.share * column.share
          let weight = share * Double(bytes[offset + 3])
          red += Double(bytes[offset]) * weight
          green += Double(bytes[offset + 1]) * weight
          blue += Double(bytes[offset + 2]) * weight
          alpha += weight
          area += share
        }
      }
      guard alpha > 0 else { return [0, 0, 0, 0] }
      return [red / alpha, green / alpha, blue / alpha, alpha / area]
    }
  }
}
