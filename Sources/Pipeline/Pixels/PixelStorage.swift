/// The memory behind a `Bitmap`: written by one owner before the bitmap exists, read only after.
// SAFETY: bytes are written only before the storage is published in a `Bitmap`; then never again.
final class PixelStorage: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer

  /// Zeroed memory of `byteCount` bytes, aligned for SIMD.
  init(byteCount: Int) {
    bytes = .allocate(byteCount: byteCount, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { bytes.deallocate() }
}
