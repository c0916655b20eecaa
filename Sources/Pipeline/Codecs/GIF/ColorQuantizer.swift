/// Picks few colours that stand for the many of a picture: splits the boxes of colour space that
/// hold most, at their middle, until there are enough (median cut).
struct ColorQuantizer {
  /// The colours, at most as many as asked for.
  let colors: [Pixel]
  /// For each of 32,768 coarse colours, the place of the one that stands for it.
  private let places: [UInt8]

  fileprivate struct Cell {
    var coarse: Int
    var count: Int
    var sums: (Int, Int, Int)

    func level(_ channel: Int) -> Int { coarse >> (10 - 5 * channel) & 31 }
  }

  /// Picks at most `limit` colours, 1 to 256, for the opaque pixels of `bitmap`.
  init(_ bitmap: Bitmap, limit: Int) {
    let cells = Self.cells(of: bitmap)
    var boxes = cells.isEmpty ? [] : [Box(cells)]
    while boxes.count < limit {
      let heaviest = boxes.indices.max { boxes[$0].weight < boxes[$1].weight }
      guard let heaviest, boxes[heaviest].weight > 0 else { break }
      let (left, right) = boxes[heaviest].split()
      boxes[heaviest] = left
      boxes.append(right)
    }
    colors = boxes.map(\.mean)
    var places = [UInt8](repeating: 0, count: 1 << 15)
    for (place, box) in boxes.enumerated() {
      for cell in box.cells { places[cell.coarse] = UInt8(truncatingIfNeeded: place) }
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
}

/// A part of colour space, and how much a split of it would gain.
private struct Box {
  let cells: [ColorQuantizer.Cell]
  /// The channel over which the cells spread most.
  private let channel: Int
  /// Pixels times spread; 0 for what cannot be split.
  let weight: Int

  init(_ cells: [ColorQuantizer.Cell]) {
    self.cells = cells
    var (channel, extent) = (0, -1)
    for candidate in 0..<3 {
      var (low, high) = (31, 0)
      for cell in cells {
        low = min(low, cell.level(candidate))
        high = max(high, cell.level(candidate))
      }
      if high - low > extent { (channel, extent) = (candidate, high - low) }
    }
    self.channel = channel
    weight = cells.count > 1 ? cells.reduce(0) { $0 + $1.count } * extent : 0
  }

  func split() -> (Box, Box) {
    let sorted = cells.sorted { $0.level(channel) < $1.level(channel) }
    let half = sorted.reduce(0) { $0 + $1.count } / 2
    var (sum, middle) = (0, 0)
    while middle < sorted.count - 1, sum + sorted[middle].count <= half {
      sum += sorted[middle].count
      middle += 1
    }
    let cut = max(1, middle)
    return (Box(Array(sorted[..<cut])), Box(Array(sorted[cut...])))
  }

  var mean: Pixel {
    let count = max(1, cells.reduce(0) { $0 + $1.count })
    return Pixel(
      red: UInt8(cells.reduce(0) { $0 + $1.sums.0 } / count),
      green: UInt8(cells.reduce(0) { $0 + $1.sums.1 } / count),
      blue: UInt8(cells.reduce(0) { $0 + $1.sums.2 } / count))
  }
}
