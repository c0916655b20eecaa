/// Where a chunk lies among a PNG's bytes: four bytes of length, four of type, data, checksum.
struct PNGChunk: Equatable {
  /// The four letters, as a number.
  let type: UInt32
  /// From the length to the end of the checksum.
  let range: Range<Int>

  /// The data alone.
  var data: Range<Int> { (range.lowerBound + 8)..<(range.upperBound - 4) }
  /// Whether a reader that does not know it may pass over it: its first letter is small.
  var isAncillary: Bool { type & 0x2000_0000 != 0 }

  static let header = name("IHDR")
  static let palette = name("PLTE")
  static let data = name("IDAT")
  static let end = name("IEND")
  static let animation = name("acTL")
  static let frame = name("fcTL")
  static let frameData = name("fdAT")
  static let exif = name("eXIf")
  static let transparency = name("tRNS")
  static let profile = name("iCCP")
  /// The ancillary chunks that change how pixels look; all others are passed over unread.
  static let meaningful: Set<UInt32> = [
    transparency, profile, name("gAMA"), name("cHRM"), name("sRGB"),
  ]

  /// Eight bytes that every PNG begins with.
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The chunk that begins at `offset`; `nil` while its head has not come.
  static func head(at offset: Int, in bytes: UnsafeRawBufferPointer) throws(DecodeError)
    -> PNGChunk?
  {
    guard offset + 8 <= bytes.count else { return nil }
    let length = bytes.bigEndian32(at: offset)
    guard length <= 0x7FFF_FFFF else { throw .corrupt(.png, reason: "a chunk is too long") }
    return PNGChunk(
      type: bytes.bigEndian32(at: offset + 4), range: offset..<(offset + 12 + Int(length)))
  }

  private static func name(_ letters: StaticString) -> UInt32 {
    letters.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }
}

extension UnsafeRawBufferPointer {
  /// The number in the four bytes from `offset` on, most significant first.
  func bigEndian32(at offset: Int) -> UInt32 {
    UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The number in the two bytes from `offset` on, most significant first.
  func bigEndian16(at offset: Int) -> Int {
    Int(UInt16(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  /// The number in the two bytes from `offset` on, least significant first.
  func littleEndian16(at offset: Int) -> Int {
    Int(UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  /// The number in the four bytes from `offset` on, least significant first.
  func littleEndian32(at offset: Int) -> Int {
    Int(UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}
