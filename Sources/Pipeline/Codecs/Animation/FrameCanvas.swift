/// The picture that an animation's frames are drawn on, one over the other.
final class FrameCanvas {
  private let size: PixelSize
  private let pixels: PixelStorage
  private var saved: (rectangle: PixelRectangle, pixels: PixelStorage)?

  /// A transparent canvas.
  init(size: PixelSize) throws(DecodeError) {
    self.size = size
    pixels = try .reserving(size.width * size.height * 4)
    pixels.clear()
  }

  /// A pointer to the pixel at `x`, `y`, red first.
  func pointer(x: Int, y: Int) -> UnsafeMutablePointer<UInt8> {
    pixels.pointer + (y * size.width + x) * 4
  }

  /// Draws `picture` in `rectangle`, which has its size and lies within the canvas: over what is
  /// there, or in its place.
  func draw(_ picture: Bitmap, at rectangle: PixelRectangle, blending: Bool) {
    picture.withUnsafeBytes { bytes in
      for row in 0..<rectangle.height {
        let target = pointer(x: rectangle.x, y: rectangle.y + row)
        let start = row * rectangle.width * 4
        let line = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + rectangle.width * 4)])
        guard blending, picture.hasAlpha else {
          UnsafeMutableRawPointer(target).copyMemory(from: line.baseAddress!, byteCount: line.count)
          continue
        }
        for pixel in 0..<rectangle.width { Self.blend(line, target, at: pixel * 4) }
      }
    }
  }

  /// Puts a pixel over another; both have straight alpha.
  private static func blend(
    _ source: UnsafeRawBufferPointer, _ target: UnsafeMutablePointer<UInt8>, at offset: Int
  ) {
    let above = UInt32(source[offset + 3])
    guard above > 0 else { return }
    let below = UInt32(target[offset + 3])
    if above == 255 || below == 0 {
      for channel in offset..<(offset + 4) { target[channel] = source[channel] }
      return
    }
    // In units of 1/255²: what shows of the pixel above, of the one below, and of both.
    let (upper, lower) = (above * 255, below * (255 - above))
    let both = upper + lower
    for channel in offset..<(offset + 3) {
      let sum = UInt32(source[channel]) * upper + UInt32(target[channel]) * lower
      target[channel] = UInt8((sum + both / 2) / both)
    }
    target[offset + 3] = UInt8((both + 127) / 255)
  }

  /// Makes `rectangle` transparent.
  func clear(_ rectangle: PixelRectangle) {
    guard rectangle.width > 0 else { return }
    for row in 0..<rectangle.height {
      pointer(x: rectangle.x, y: rectangle.y + row).update(repeating: 0, count: rectangle.width * 4)
    }
  }

  /// Keeps what is in `rectangle` for `restore`.
  func save(_ rectangle: PixelRectangle) throws(DecodeError) {
    let stride = rectangle.width * 4
    let copy = try PixelStorage.reserving(stride * rectangle.height)
    for row in 0..<rectangle.height where stride > 0 {
      (copy.pointer + row * stride).update(
        from: pointer(x: rectangle.x, y: rectangle.y + row), count: stride)
    }
    saved = (rectangle, copy)
  }

  /// Puts back what `save` kept.
  func restore() {
    guard let (rectangle, copy) = saved else { return }
    let stride = rectangle.width * 4
    for row in 0..<rectangle.height where stride > 0 {
      pointer(x: rectangle.x, y: rectangle.y + row).update(
        from: copy.pointer + row * stride, count: stride)
    }
    saved = nil
  }

  /// A copy of what the canvas shows.
  func picture(hasAlpha: Bool) throws(DecodeError) -> Bitmap {
    let copy = try PixelStorage.reserving(pixels.bytes.count)
    copy.bytes.copyMemory(from: UnsafeRawBufferPointer(pixels.bytes))
    return Bitmap(size: size, hasAlpha: hasAlpha, storage: copy)
  }
}
