/// Walks the segments before a JPEG's first scan, without decoding.
struct JPEGMarkers {
  /// Width and height as stored.
  private(set) var size: PixelSize?
  private(set) var componentCount = 0
  private(set) var orientation: Orientation?
  private(set) var profile = SegmentedProfile()
  /// Whether the first scan begins: nothing is to be learnt any more.
  private(set) var isComplete = false
  /// Whether a segment is longer than its kind can be: its bytes went through a text filter.
  private(set) var isMangled = false

  /// Reads as far as `bytes` reach.
  init(_ bytes: UnsafeRawBufferPointer) {
    var offset = 2
    while offset + 4 <= bytes.count {
      guard bytes[offset] == 0xFF else { return }
      let marker = bytes[offset + 1]
      // Fill bytes, and markers without a segment.
      if marker == 0xFF {
        offset += 1
        continue
      }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) {
        offset += 2
        continue
      }
      isComplete = marker == 0xDA || marker == 0xD9
      guard !isComplete else { return }
      let length = bytes.bigEndian16(at: offset + 2)
      if marker == 0xEE, length > 0xFFF { isMangled = true }
      let end = offset + 2 + length
      guard length >= 2, end <= bytes.count else { return }
      take(marker, UnsafeRawBufferPointer(rebasing: bytes[(offset + 4)..<end]))
      offset = end
    }
  }

  private mutating func take(_ marker: UInt8, _ segment: UnsafeRawBufferPointer) {
    switch marker {
    case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
      guard segment.count >= 6 else { return }
      size = PixelSize(width: segment.bigEndian16(at: 3), height: segment.bigEndian16(at: 1))
      componentCount = Int(segment[5])
    case 0xE1 where orientation == nil && segment.starts(with: Array("Exif\0\0".utf8)):
      orientation = ExifOrientation.readNamed(segment)
    case 0xE2: profile.take(segment)
    default: break
    }
  }
}
