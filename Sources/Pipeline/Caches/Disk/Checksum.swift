private import CChecksumShims

/// A 64-bit checksum at the speed of memory: it finds damage, not forgery.
///
/// A hundred and twenty-eight lanes take four bytes each in turn. A change within four bytes is found
/// for certain; wider damage goes unseen once in 2³² if all of it lies in words a multiple of 64 bytes
/// apart, else once in 2⁶⁴.
struct Checksum {
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    cs_checksum(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
  }
}
