import Pipeline

/// Files put together byte by byte, of kinds that no encoder here writes.
enum HandmadeFiles {
  /// A 16-bit PNG, RGB or RGBA, uncompressed; `sample` gives each of a pixel's numbers.
  static func png16(
    width: Int, height: Int, channels: Int, sample: (_ x: Int, _ y: Int, _ channel: Int) -> UInt16
  ) -> ImageBytes {
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(0)
      for x in 0..<width {
        for channel in 0..<channels { rows += bigEndian(sample(x, y, channel)) }
      }
    }
    let header =
      bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [16, channels == 4 ? 6 : 2, 0, 0, 0]
    return ImageBytes(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
        + chunk("IDAT", stored(rows)) + chunk("IEND", []))
  }

  /// `bitmap` as an interlaced PNG, RGBA, uncompressed.
  static func interlacedPNG(_ bitmap: Bitmap) -> ImageBytes {
    // First column, first row, columns and rows from one pixel of the pass to the next.
    let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ]
    var rows: [UInt8] = []
    bitmap.withUnsafeBytes { bytes in
      for (left, top, right, down) in passes where left < bitmap.width {
        for y in stride(from: top, to: bitmap.height, by: down) {
          rows.append(0)
          for x in stride(from: left, to: bitmap.width, by: right) {
            let start = y * bitmap.bytesPerRow + x * 4
            for channel in 0..<4 { rows.append(bytes[start + channel]) }
          }
        }
      }
    }
    let header =
      bigEndian(UInt32(bitmap.width)) + bigEndian(UInt32(bitmap.height)) + [8, 6, 0, 0, 1]
    return ImageBytes(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
        + chunk("IDAT", stored(rows)) + chunk("IEND", []))
  }

  /// A gray PNG of vertical stripes, 2,500 pixels wide, that repeats its first row: small, however
  /// large the picture.
  static func stripedPNG(width: Int, height: Int) -> ImageBytes {
    let first = [UInt8(0)] + (0..<width).map { $0 / 2_500 % 2 == 0 ? 255 : 0 }
    // Every other row: the filter that takes the row above, and no difference.
    let row = [UInt8(2)] + Array(repeating: UInt8(0), count: width)
    let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 0, 0, 0, 0]
    var bits = BitWriter()
    bits.addLiterals(first)
    for _ in 1..<height {
      bits.addLiterals([row[0], row[1]])
      bits.addRepeats(width - 1)
    }
    let data = [0x78, 0x01] + bits.finish() + [0, 0, 0, 0]
    return ImageBytes(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
        + chunk("IDAT", data) + chunk("IEND", []))
  }

  /// One block of deflate with the standard codes.
  private struct BitWriter {
    private var bytes: [UInt8] = []
    private var bits: UInt64 = 0b011
    private var count = 3

    private mutating func add(_ value: Int, _ width: Int) {
      bits |= UInt64(value) << count
      count += width
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        count -= 8
      }
    }

    /// Codes are written from their highest bit on.
    private mutating func addCode(_ code: Int, _ width: Int) {
      add((0..<width).reduce(0) { $0 | (code >> $1 & 1) << (width - 1 - $1) }, width)
    }

    mutating func addLiterals(_ literals: [UInt8]) {
      for literal in literals {
        literal < 144 ? addCode(0x30 + Int(literal), 8) : addCode(0x190 + Int(literal) - 144, 9)
      }
    }

    /// Writes the last byte again, `number` times.
    mutating func addRepeats(_ number: Int) {
      var left = number
      while left >= 258 {
        addCode(0xC0 + 285 - 280, 8)
        addCode(0, 5)
        left -= 258
      }
      addLiterals(Array(repeating: 0, count: left))
    }

    mutating func finish() -> [UInt8] {
      addCode(0, 7)
      add(0, 7)
      return bytes
    }
  }

  /// A one-colour gray JPEG of any size, of two bits a block.
  static func grayJPEG(width: Int, height: Int) -> ImageBytes {
    let blocks = ((width + 7) / 8) * ((height + 7) / 8)
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + Array(repeating: 1, count: 64)
    bytes += [0xFF, 0xC0, 0, 11, 8] + bigEndian(UInt16(height)) + bigEndian(UInt16(width))
    bytes += [1, 1, 0x11, 0]
    for kind: UInt8 in [0x00, 0x10] {
      // One code of one bit: no change for DC, end of block for AC.
      bytes += [0xFF, 0xC4, 0, 20, kind, 1] + Array(repeating: 0, count: 15) + [0]
    }
    bytes += [0xFF, 0xDA, 0, 8, 1, 1, 0x00, 0, 63, 0]
    return ImageBytes(bytes + Array(repeating: 0, count: blocks / 4 + 1) + [0xFF, 0xD9])
  }

  /// A GIF of a 4×4 canvas, one byte of data a frame at most; frames are filled with one colour.
  static func gif(_ frames: [Frame], extensions: [UInt8] = []) -> ImageBytes {
    var bytes = Array("GIF89a".utf8) + [4, 0, 4, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255] + extensions
    for frame in frames {
      bytes += [0x21, 0xF9, 4, frame.disposal << 2] + littleEndian(frame.hundredths) + [0, 0]
      bytes += [0x2C, frame.x, 0, frame.y, 0, frame.side, 0, frame.side, 0, 0, 2]
      // Codes of three bits: clear before each index, so that none grows longer.
      var bits: [UInt8] = []
      for _ in 0..<(Int(frame.side) * Int(frame.side)) {
        bits += [0, 0, 1] + [frame.color, 0, 0]
      }
      bits += [1, 0, 1]
      let data = stride(from: 0, to: bits.count, by: 8).map { start in
        bits[start..<min(start + 8, bits.count)].reversed().reduce(UInt8(0)) { $0 << 1 | $1 }
      }
      bytes += [UInt8(data.count)] + data + [0]
    }
    return ImageBytes(bytes + [0x3B])
  }

  /// A square of one of two colours.
  struct Frame {
    var x: UInt8 = 0
    var y: UInt8 = 0
    var side: UInt8 = 4
    var color: UInt8 = 0
    var disposal: UInt8 = 1
    var hundredths: UInt16 = 10
  }

  /// The extension that says how often a GIF plays again.
  static func repeats(_ count: UInt16) -> [UInt8] {
    [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + littleEndian(count) + [0]
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    var checksum: UInt32 = .max
    for byte in body {
      checksum ^= UInt32(byte)
      for _ in 0..<8 { checksum = checksum >> 1 ^ (checksum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return bigEndian(UInt32(data.count)) + body + bigEndian(~checksum)
  }

  /// A zlib stream of blocks that are not compressed.
  private static func stored(_ data: [UInt8]) -> [UInt8] {
    var (stream, low, high): ([UInt8], UInt32, UInt32) = ([0x78, 0x01], 1, 0)
    for start in stride(from: 0, to: data.count, by: 65_535) {
      let block = data[start..<min(start + 65_535, data.count)]
      let length = UInt16(block.count)
      stream.append(start + block.count == data.count ? 1 : 0)
      stream += littleEndian(length) + littleEndian(~length) + block
    }
    for byte in data {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return stream + bigEndian(high << 16 | low)
  }

  private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian, Array.init)
  }

  private static func littleEndian(_ number: UInt16) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian, Array.init)
  }
}
