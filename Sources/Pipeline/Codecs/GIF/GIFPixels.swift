/// The palette indexes of one frame, unpacked as its data blocks come.
final class GIFPixels {
  let frame: GIFFrame
  private let indexes: PixelStorage
  private var reader: LZWReader
  private var offset: Int

  /// Reserves memory for the frame's indexes.
  init(frame: GIFFrame) throws(DecodeError) {
    self.frame = frame
    let count = frame.rectangle.width * frame.rectangle.height
    indexes = try .reserving(max(1, count))
    reader = LZWReader(codeSize: frame.codeSize)
    offset = frame.dataStart
  }

  /// Whether every pixel has come.
  var isWhole: Bool { reader.count == frame.rectangle.width * frame.rectangle.height }
  /// Pixels that have come.
  var pixelCount: Int { reader.count }

  /// Unpacks the data blocks that have come in full.
  func advance(over bytes: UnsafeRawBufferPointer) throws(DecodeError) {
    let count = frame.rectangle.width * frame.rectangle.height
    let output = UnsafeMutableBufferPointer(start: indexes.pointer, count: count)
    while offset < bytes.count, !isWhole {
      let length = Int(bytes[offset])
      guard length > 0, offset + 1 + length <= bytes.count else { return }
      let block = UnsafeRawBufferPointer(rebasing: bytes[(offset + 1)..<(offset + 1 + length)])
      try reader.read(block, to: output)
      offset += 1 + length
    }
  }

  /// Draws the pixels that there are; those outside the canvas are left out.
  func draw(on canvas: FrameCanvas, size: PixelSize, colors bytes: UnsafeRawBufferPointer) {
    let visible = frame.rectangle.clipped(to: size)
    guard visible.width > 0, visible.height > 0 else { return }
    let (palette, isOpaque) = palette(from: bytes)
    let width = frame.rectangle.width
    palette.withUnsafeBufferPointer { palette in
      for (position, row) in rowOrder.enumerated() {
        let count = min(visible.width, reader.count - position * width)
        guard count > 0 else { return }
        guard row < visible.height else { continue }
        let source = indexes.pointer + position * width
        UnsafeMutableRawPointer(canvas.pointer(x: visible.x, y: visible.y + row))
          .withMemoryRebound(to: UInt32.self, capacity: count) { target in
            if isOpaque {
              for x in 0..<count { target[x] = palette[Int(source[x])] }
            } else {
              for x in 0..<count where palette[Int(source[x])] != 0 {
                target[x] = palette[Int(source[x])]
              }
            }
          }
      }
    }
  }

  /// The rows in the order in which they are stored.
  private var rowOrder: [Int] {
    let height = frame.rectangle.height
    guard frame.isInterlaced else { return Array(0..<height) }
    let passes = [(0, 8), (4, 8), (2, 4), (1, 2)]
    return passes.flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
  }

  /// The colours as pixels, 0 for those that leave the canvas as it is.
  private func palette(from bytes: UnsafeRawBufferPointer) -> (colors: [UInt32], isOpaque: Bool) {
    var colors = [UInt32](repeating: 0, count: 256)
    let count = min(256, frame.palette.count / 3)
    for index in 0..<count {
      let start = frame.palette.lowerBound + index * 3
      let color =
        UInt32(bytes[start]) | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2]) << 16
      colors[index] = UInt32(littleEndian: color | 0xFF00_0000)
    }
    if let transparent = frame.transparentIndex { colors[Int(transparent)] = 0 }
    return (colors, !colors.contains(0))
  }
}
