/// A frame of an animated WebP: where it goes, how it ends, and where its picture lies.
struct WebPFrame {
  let rectangle: PixelRectangle
  let delay: Duration
  /// Whether it is laid over what is there, or takes its place.
  let blendsOver: Bool
  /// Whether its rectangle becomes transparent before the next frame.
  let clearsAfter: Bool
  /// The chunks of its picture.
  let data: Range<Int>

  /// Reads the frame chunk whose data, of 16 bytes or more, lies at `range`.
  init(
    _ bytes: UnsafeRawBufferPointer, at range: Range<Int>, canvas: PixelSize
  ) throws(DecodeError) {
    rectangle = PixelRectangle(
      x: (bytes.littleEndian32(at: 0) & 0xFF_FFFF) * 2,
      y: (bytes.littleEndian32(at: 3) & 0xFF_FFFF) * 2,
      width: bytes.littleEndian32(at: 6) & 0xFF_FFFF + 1,
      height: bytes.littleEndian32(at: 9) & 0xFF_FFFF + 1)
    guard rectangle.maxX <= canvas.width, rectangle.maxY <= canvas.height else {
      throw .corrupt(.webp, reason: "a frame reaches beyond the canvas")
    }
    delay = .milliseconds(bytes.littleEndian32(at: 12) & 0xFF_FFFF)
    blendsOver = bytes[15] & 2 == 0
    clearsAfter = bytes[15] & 1 != 0
    data = (range.lowerBound + 16)..<range.upperBound
  }

  /// Whether it covers all of `canvas`.
  func covers(_ canvas: PixelSize) -> Bool {
    rectangle.width == canvas.width && rectangle.height == canvas.height
  }
}
