/// A 64-bit checksum at the speed of memory: it finds damage, not forgery.
///
/// Eight lanes take a word each in turn. Each step can be undone, so any change within one word
/// changes the result for certain; other changes go unseen once in 2⁶⁴.
struct Checksum {
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var lanes = SIMD8<UInt64>(1, 2, 3, 4, 5, 6, 7, 8) &* SIMD8(repeating: prime)
    var (a, b, c, d) = (lanes[0], lanes[1], lanes[2], lanes[3])
    var (e, f, g, h) = (lanes[4], lanes[5], lanes[6], lanes[7])
    let count = bytes.count
    var offset = 0
    // Lanes are separate variables: a 64-bit multiplication is quicker outside a vector. Words are
    // read from the pointer: the loop's condition is all the checking they need.
    while let bytes = bytes.baseAddress, count - offset >= 64 {
      a = step(a, bytes, offset)
      b = step(b, bytes, offset + 8)
      c = step(c, bytes, offset + 16)
      d = step(d, bytes, offset + 24)
      e = step(e, bytes, offset + 32)
      f = step(f, bytes, offset + 40)
      g = step(g, bytes, offset + 48)
      h = step(h, bytes, offset + 56)
      offset += 64
    }
    lanes = SIMD8(a, b, c, d, e, f, g, h)
    var sum = UInt64(bytes.count) &* prime
    for lane in 0..<8 { sum = mix(sum, lanes[lane]) }
    while offset < bytes.count {
      sum = mix(sum, UInt64(bytes[offset]))
      offset += 1
    }
    return sum ^ (sum >> 32)
  }

  @inline(__always)
  private static func step(_ lane: UInt64, _ bytes: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    mix(lane, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
  }

  /// The rotation carries high bits low, where the multiplication spreads them again.
  @inline(__always)
  private static func mix(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = (lane ^ word) &* prime
    return (mixed << 29) | (mixed >> 35)
  }

  private static let prime: UInt64 = 0x9e37_79b9_7f4a_7c15
}
