/// Puts the stills that libpng wrote together to an animated PNG: the first as it is, the data of the
/// others in frame chunks.
struct PNGAnimationWriter {
  private let frameCount: Int
  private let loopCount: Int
  private let size: PixelSize
  private var bytes = PNGChunk.signature
  private var number: UInt32 = 0
  private var hasFrame = false

  init(frameCount: Int, loopCount: Int, size: PixelSize) {
    self.frameCount = frameCount
    self.loopCount = loopCount
    self.size = size
  }

  /// Adds a frame of the whole canvas, which takes the place of the one before.
  mutating func add(_ still: ImageBytes, milliseconds: Int) throws(DecodeError) {
    let isFirst = !hasFrame
    hasFrame = true
    if !isFirst { writeControl(milliseconds) }
    var hasControl = !isFirst
    try still.withUnsafeBytes { buffer throws(DecodeError) in
      var offset = PNGChunk.signature.count
      while let chunk = try PNGChunk.head(at: offset, in: buffer), chunk.type != PNGChunk.end {
        offset = chunk.range.upperBound
        if chunk.type == PNGChunk.data, !hasControl {
          writeControl(milliseconds)
          hasControl = true
        }
        if isFirst {
          bytes += buffer[chunk.range]
          if chunk.type == PNGChunk.header { writeHeader() }
        } else if chunk.type == PNGChunk.data {
          write(PNGChunk.frameData, nextNumber() + buffer[chunk.data])
        }
      }
    }
  }

  /// The whole file.
  mutating func finish() -> ImageBytes {
    write(PNGChunk.end, [])
    return ImageBytes(bytes)
  }

  private mutating func writeHeader() {
    let plays = UInt32(clamping: min(loopCount, 0x7FFF_FFFF))
    write(PNGChunk.animation, Self.four(UInt32(frameCount)) + Self.four(plays))
  }

  private mutating func writeControl(_ milliseconds: Int) {
    // As thousandths of a second where they fit into two bytes, else as hundredths.
    let isFine = milliseconds <= 0xFFFF
    let numerator = UInt16(clamping: isFine ? milliseconds : milliseconds / 10)
    var control = nextNumber() + Self.four(UInt32(size.width)) + Self.four(UInt32(size.height))
    control += Self.four(0) + Self.four(0)
    control += Self.four(UInt32(numerator) << 16 | (isFine ? 1_000 : 100))
    // Stays, and replaces.
    control += [0, 0]
    write(PNGChunk.frame, control)
  }

  private mutating func nextNumber() -> [UInt8] {
    defer { number += 1 }
    return Self.four(number)
  }

  private mutating func write(_ type: UInt32, _ data: [UInt8]) {
    let body = Self.four(type) + data
    bytes += Self.four(UInt32(truncatingIfNeeded: data.count)) + body
    bytes += Self.four(Self.checksum(of: body))
  }

  private static func four(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// The cyclic redundancy check that ends every chunk.
  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0)
    }
  }
}
