extension Bitmap {
  /// The colour most of the picture has, opaque; `nil` if nothing of it is opaque enough to see.
  public var dominantColor: Pixel? { palette(count: 1).first }

  /// The picture's colours, the most common first: means of the pixels that fall into one of 4,096
  /// cells, neighbours of a colour taken already left out.
  ///
  /// Pixels less than half opaque do not count. Large pictures are looked at in a small size.
  public func palette(count: Int) -> [Pixel] {
    let small = shrunk(to: 128)
    var sums = [SIMD4<Int>](repeating: .zero, count: 4096)
    small.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count, by: 4) where bytes[offset + 3] >= 128 {
        let (r, g, b) = (Int(bytes[offset]), Int(bytes[offset + 1]), Int(bytes[offset + 2]))
        sums[(r >> 4) << 8 | (g >> 4) << 4 | b >> 4] &+= SIMD4(r, g, b, 1)
      }
    }
    let cells = sums.indices.filter { sums[$0].w > 0 }.sorted {
      (sums[$1].w, $0) < (sums[$0].w, $1)
    }
    var taken: [Int] = []
    for cell in cells where taken.count < count {
      if !taken.contains(where: { Self.areNeighbours($0, cell) }) { taken.append(cell) }
    }
    return taken.map { cell in
      let (sum, half) = (sums[cell], sums[cell].w / 2)
      return Pixel(
        red: UInt8((sum.x + half) / sum.w), green: UInt8((sum.y + half) / sum.w),
        blue: UInt8((sum.z + half) / sum.w))
    }
  }

  private static func areNeighbours(_ a: Int, _ b: Int) -> Bool {
    [8, 4, 0].allSatisfy { abs((a >> $0 & 15) - (b >> $0 & 15)) <= 1 }
  }
}
