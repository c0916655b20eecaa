#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The memory behind a `Bitmap`: written by one owner before the bitmap exists, read only after.
// SAFETY: bytes are written only before the storage is published in a `Bitmap`; then never again.
final class PixelStorage: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer

  /// Zeroed memory of `byteCount` bytes, aligned for SIMD. Traps when there is none to be had.
  convenience init(byteCount: Int) {
    guard let storage = Self.reserve(byteCount) else { preconditionFailure("no memory for pixels") }
    storage.initializeMemory(as: UInt8.self, repeating: 0)
    self.init(bytes: storage)
  }

  /// Memory whose contents nobody knows yet; `nil` when there is none to be had.
  convenience init?(uninitializedByteCount byteCount: Int) {
    guard let storage = Self.reserve(byteCount) else { return nil }
    self.init(bytes: storage)
  }

  private init(bytes: UnsafeMutableRawBufferPointer) {
    self.bytes = bytes
  }

  private static func reserve(_ byteCount: Int) -> UnsafeMutableRawBufferPointer? {
    var base: UnsafeMutableRawPointer?
    guard posix_memalign(&base, 64, max(byteCount, 1)) == 0, let base else { return nil }
    return UnsafeMutableRawBufferPointer(start: base, count: byteCount)
  }

  deinit { free(bytes.baseAddress) }
}
