#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file's bytes in memory, read where they are touched.
// SAFETY: the mapping is private and read-only, and lives until nobody holds it.
final class FileMapping: @unchecked Sendable {
  let base: UnsafeRawPointer
  private let count: Int

  /// Maps the first `count` bytes, one at least; `nil`, with `errno` set, where the system refuses.
  init?(descriptor: Int32, count: Int) {
    let pointer = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let pointer, pointer != MAP_FAILED else { return nil }
    base = UnsafeRawPointer(pointer)
    self.count = count
  }

  /// Gives back the memory of all megabytes that end before `end`, where `start` is how far that
  /// went before. The bytes are read again when they are touched.
  func letGo(from start: UnsafeRawPointer, to end: UnsafeRawPointer) {
    let (first, last) = ((start - base) / Self.stepByteCount, (end - base) / Self.stepByteCount)
    guard last > first else { return }
    let offset = first * Self.stepByteCount
    madvise(
      UnsafeMutableRawPointer(mutating: base + offset), last * Self.stepByteCount - offset,
      MADV_DONTNEED)
  }

  private static let stepByteCount = 1 << 20

  deinit { munmap(UnsafeMutableRawPointer(mutating: base), count) }
}

extension ImageBytes {
  /// Says that the bytes from `start` to `end` will hardly be read again. Where they are those of a
  /// file, the memory is given back.
  func letGo(from start: Int, to end: Int) {
    guard let mapping = owner as? FileMapping, let base else { return }
    mapping.letGo(from: base + start, to: base + end)
  }
}
