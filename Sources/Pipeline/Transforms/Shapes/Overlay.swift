/// A picture that is laid over another, once or again and again.
struct Overlay: Sendable {
  let picture: Bitmap
  /// Where its left column comes to lie.
  let x: Int
  /// Where its top row comes to lie.
  let y: Int
  /// Columns and rows after which it comes again; `nil` for once.
  var period: PixelSize?
  let blend: BlendMode
  /// 0…1.
  let opacity: Float

  /// Lays it over rows of a picture, where it covers them.
  func draw(on rows: PixelRows) {
    let isCopy = blend == .normal && opacity == 1 && !picture.hasAlpha
    picture.withUnsafeBytes { bytes in
      let pixels = bytes.assumingMemoryBound(to: SIMD4<UInt8>.self)
      for row in rows.range {
        let line = rows[row]
        let own = period.map { (row - y) % $0.height } ?? row - y
        guard (0..<picture.height).contains(own) else { continue }
        var left = x
        while left < line.count {
          let columns = max(0, left)..<min(line.count, left + picture.width)
          for column in columns {
            let source = pixels[own * picture.width + column - left]
            line[column] =
              isCopy
              ? source
              : Compositing.laid(source, over: line[column], opacity: opacity, blend: blend)
          }
          guard let period else { break }
          left += period.width
        }
      }
    }
  }

  /// Whether it covers any pixel of a picture of `size`.
  func covers(_ size: PixelSize) -> Bool {
    period != nil
      || (x < size.width && y < size.height && x > -picture.width && y > -picture.height)
  }
}

extension Bitmap {
  /// This bitmap with `other` laid over it, its left column at `x` and its top row at `y`.
  ///
  /// What lies outside is left out. Alpha is respected on both sides.
  ///
  /// - Parameters:
  ///   - other: What is laid over.
  ///   - x: The column of its left edge; may lie outside.
  ///   - y: The row of its top edge; may lie outside.
  ///   - blend: How its colours and those below become one.
  ///   - opacity: 0…1, multiplied with the alpha of `other`; beyond that counts as the end.
  public func drawing(
    _ other: Bitmap, x: Int, y: Int, blend: BlendMode = .normal, opacity: Double = 1
  ) -> Bitmap {
    let limit = 1 << 40
    let opacity = opacity.isNaN ? 1 : min(1, max(0, opacity))
    let overlay = Overlay(
      picture: other, x: min(max(x, -limit), limit), y: min(max(y, -limit), limit), blend: blend,
      opacity: Float(opacity))
    guard opacity > 0, overlay.covers(size) else { return self }
    // Fails only without memory, as making a bitmap of one colour would.
    let storage =
      PixelStorage(uninitializedByteCount: byteCount) ?? PixelStorage(byteCount: byteCount)
    withUnsafeBytes { storage.bytes.copyMemory(from: $0) }
    overlay.draw(on: PixelRows(0..<height, of: storage, width: width))
    return Bitmap(size: size, hasAlpha: hasAlpha, storage: storage)
  }
}
