/// Picks few colours that stand for the many of a picture: splits the boxes of colour space that
/// hold most, at their middle, until there are enough (median cut).
struct ColorQuantizer {
  /// The colours, at most as many as asked for.
  let colors: [Pixel]
  /// For each of 32,768 coarse colours, the place of the one that stands for it.
  private let places: [UInt8]

  private struct Cell {
    var coarse: Int
    var count: Int
    var sums: (Int, Int, Int)

    func level(_ channel: Int) -> Int { coarse >> (10 - 5 * channel) & 31 }
  }

  /// Picks at most `limit` colours, 1 to 256, for the opaque pixels of `bitmap`.
  init(_ bitmap: Bitmap, limit: Int) {
    var boxes = [Self.cells(of: bitmap)].filter { !$0.isEmpty }
    while boxes.count < limit {
      let widest = boxes.indices.max { Self.weight(boxes[$0]) < Self.weight(boxes[$1]) }
      guard let widest, boxes[widest].count > 1 else { break }
      let (left, right) = Self.split(boxes[widest])
      boxes[widest] = left
      boxes.append(right)
    }
    colors = boxes.map(Self.mean)
    var places = [UInt8](repeating: 0, count: 1 << 15)
    for (place, box) in boxes.enumerated() {
      for cell in box { places[cell.coarse] = UInt8(truncatingIfNeeded: place) }
    }
    self.places = places
  }

  /// The place of the colour that stands for this one.
  func place(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
    places[Self.coarse(red, green, blue)]
  }

  private static func coarse(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
    Int(red >> 3) << 10 | Int(green >> 3) << 5 | Int(blue >> 3)
  }

  private static func cells(of bitmap: Bitmap) -> [Cell] {
    var cells = (0..<(1 << 15)).map { Cell(coarse: $0, count: 0, sums: (0, 0, 0)) }
    bitmap.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: 4) where bytes[start + 3] >= 128 {
        let (red, green, blue) = (bytes[start], bytes[start + 1], bytes[start + 2])
        let place = coarse(red, green, blue)
        cells[place].count += 1
        cells[place].sums.0 += Int(red)
        cells[place].sums.1 += Int(green)
        cells[place].sums.2 += Int(blue)
      }
    }
    return cells.filter { $0.count > 0 }
  }

  /// The channel over which the cells spread most, and how far.
  private static func spread(_ box: [Cell]) -> (channel: Int, extent: Int) {
    (0..<3).map { channel in
      let levels = box.map { $0.level(channel) }
      return (channel, (levels.max() ?? 0) - (levels.min() ?? 0))
    }.max { $0.1 < $1.1 } ?? (0, 0)
  }

  private static func weight(_ box: [Cell]) -> Int {
    guard box.count > 1 else { return 0 }
    return box.reduce(0) { $0 + $1.count } * spread(box).extent
  }

  private static func split(_ box: [Cell]) -> ([Cell], [Cell]) {
    let channel = spread(box).channel
    let sorted = box.sorted { $0.level(channel) < $1.level(channel) }
    let half = sorted.reduce(0) { $0 + $1.count } / 2
    var (sum, middle) = (0, 0)
    while middle < sorted.count - 1, sum + sorted[middle].count <= half {
      sum += sorted[middle].count
      middle += 1
    }
    let cut = max(1, middle)
    return (Array(sorted[..<cut]), Array(sorted[cut...]))
  }

  private static func mean(_ box: [Cell]) -> Pixel {
    let count = max(1, box.reduce(0) { $0 + $1.count })
    return Pixel(
      red: UInt8(box.reduce(0) { $0 + $1.sums.0 } / count),
      green: UInt8(box.reduce(0) { $0 + $1.sums.1 } / count),
      blue: UInt8(box.reduce(0) { $0 + $1.sums.2 } / count))
  }
}
