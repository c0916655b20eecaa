/// The memory behind a `Bitmap`: written by one owner before the bitmap exists, read only after.
// SAFETY: bytes are written only before the storage is published in a `Bitmap`; then never again.
final class PixelStorage: @unchecked Sendable {
  /// The bytes asked for.
  let bytes: UnsafeMutableRawBufferPointer
  private let block: UnsafeMutableRawBufferPointer

  /// Zeroed memory of `byteCount` bytes, aligned for SIMD. Traps when there is none to be had.
  convenience init(byteCount: Int) {
    guard let block = PixelMemory.allocate(byteCount: byteCount) else {
      preconditionFailure("no memory for pixels")
    }
    self.init(block: block, byteCount: byteCount)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// Memory whose contents nobody knows yet; `nil` when there is none to be had.
  convenience init?(uninitializedByteCount byteCount: Int) {
    guard let block = PixelMemory.allocate(byteCount: byteCount) else { return nil }
    self.init(block: block, byteCount: byteCount)
  }

  private init(block: UnsafeMutableRawBufferPointer, byteCount: Int) {
    self.block = block
    bytes = UnsafeMutableRawBufferPointer(rebasing: block[..<byteCount])
  }

  deinit { PixelMemory.free(block) }
}
