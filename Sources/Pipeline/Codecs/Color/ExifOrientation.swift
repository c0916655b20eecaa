/// Reads the orientation out of an EXIF block, which is a small TIFF file.
enum ExifOrientation {
  /// The orientation in the TIFF structure `tiff`; `nil` when it has none, or none that makes sense.
  static func read(_ tiff: UnsafeRawBufferPointer) -> Orientation? {
    guard tiff.count >= 8 else { return nil }
    let isLittleEndian = tiff[0] == UInt8(ascii: "I")
    guard tiff[0] == tiff[1], isLittleEndian || tiff[0] == UInt8(ascii: "M") else { return nil }
    func number(at offset: Int, bytes: Int) -> Int? {
      guard offset >= 0, offset <= tiff.count - bytes else { return nil }
      return (0..<bytes).reduce(0) { sum, index in
        let byte = Int(tiff[offset + (isLittleEndian ? bytes - 1 - index : index)])
        return sum << 8 | byte
      }
    }
    guard number(at: 2, bytes: 2) == 42, let directory = number(at: 4, bytes: 4),
      let count = number(at: directory, bytes: 2)
    else { return nil }
    for entry in 0..<count {
      let start = directory + 2 + entry * 12
      guard let tag = number(at: start, bytes: 2) else { return nil }
      guard tag == 0x0112 else { continue }
      // A short; some writers store a long.
      let isLong = number(at: start + 2, bytes: 2) == 4
      guard let value = number(at: start + 8, bytes: isLong ? 4 : 2) else { return nil }
      return Orientation(rawValue: value)
    }
    return nil
  }

  /// The same, past the name that JPEG and some WebP files put before the structure.
  static func readNamed(_ bytes: UnsafeRawBufferPointer) -> Orientation? {
    let name: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
    guard bytes.starts(with: name) else { return read(bytes) }
    return read(UnsafeRawBufferPointer(rebasing: bytes[name.count...]))
  }
}
