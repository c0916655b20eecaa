/// A frame of an animated PNG: what its control chunk says, and where its data lies.
struct PNGFrame {
  /// What happens to the frame's rectangle before the next one.
  enum Disposal: UInt8 {
    case keep, clear, restore
  }

  let rectangle: PixelRectangle
  let delay: Duration
  let disposal: Disposal
  let blendsOver: Bool
  /// The frame's compressed data, in order: without chunk heads, numbers and checksums.
  var data: [Range<Int>] = []

  /// Reads a control chunk; `nil` when it is too short or says nonsense.
  init?(_ bytes: UnsafeRawBufferPointer, canvas: PixelSize) {
    guard bytes.count >= 26 else { return nil }
    rectangle = PixelRectangle(
      x: Int(bytes.bigEndian32(at: 12)), y: Int(bytes.bigEndian32(at: 16)),
      width: Int(bytes.bigEndian32(at: 4)), height: Int(bytes.bigEndian32(at: 8)))
    guard rectangle.width > 0, rectangle.height > 0, rectangle.maxX <= canvas.width,
      rectangle.maxY <= canvas.height, let disposal = Disposal(rawValue: bytes[24]),
      bytes[25] <= 1
    else { return nil }
    self.disposal = disposal
    blendsOver = bytes[25] == 1
    let divisor = bytes.bigEndian16(at: 22)
    delay = .milliseconds(1_000) * bytes.bigEndian16(at: 20) / (divisor == 0 ? 100 : divisor)
  }
}
