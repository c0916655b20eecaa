extension Bitmap {
  /// This bitmap with `other` laid over it, its left column at `x` and its top row at `y`.
  ///
  /// What lies outside is left out. Alpha is respected on both sides.
  /// - Parameter opacity: 0…1, multiplied with the alpha of `other`; beyond that counts as the end.
  public func drawing(
    _ other: Bitmap, x: Int, y: Int, blend: BlendMode = .normal, opacity: Double = 1
  ) -> Bitmap {
    let limit = 1 << 40
    let (x, y) = (min(max(x, -limit), limit), min(max(y, -limit), limit))
    let (left, right) = (max(0, x), min(width, x + other.width))
    let (top, bottom) = (max(0, y), min(height, y + other.height))
    let opacity = opacity.isNaN ? 1 : min(1, max(0, opacity))
    guard left < right, top < bottom, opacity > 0 else { return self }
    let copies = blend == .normal && opacity == 1 && !other.hasAlpha
    return changed(hasAlpha: hasAlpha) { pixels in
      other.withUnsafeBytes { source in
        for row in top..<bottom {
          let target = row * bytesPerRow + left * 4
          let start = (row - y) * other.bytesPerRow + (left - x) * 4
          let count = (right - left) * 4
          if copies {
            UnsafeMutableRawBufferPointer(rebasing: pixels[target..<(target + count)])
              .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<(start + count)]))
          } else {
            Compositing.lay(
              UnsafeRawBufferPointer(rebasing: source[start..<(start + count)]),
              over: UnsafeMutableRawBufferPointer(rebasing: pixels[target..<(target + count)]),
              blend: blend, opacity: Float(opacity))
          }
        }
      }
    }
  }

  /// A copy whose bytes `change` may overwrite.
  func changed(
    hasAlpha: Bool, _ change: (UnsafeMutableRawBufferPointer) -> Void
  ) -> Bitmap {
    Bitmap(size: size, hasAlpha: hasAlpha, copying: self, change)
  }

  private init(
    size: PixelSize, hasAlpha: Bool, copying source: Bitmap,
    _ change: (UnsafeMutableRawBufferPointer) -> Void
  ) {
    let storage =
      PixelStorage(uninitializedByteCount: source.byteCount)
      ?? PixelStorage(byteCount: source.byteCount)
    source.withUnsafeBytes { storage.bytes.copyMemory(from: $0) }
    change(storage.bytes)
    self.init(size: size, hasAlpha: hasAlpha, storage: storage)
  }
}
