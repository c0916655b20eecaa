import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Memory for pixels. Large blocks come in whole pages, huge ones where the system has them, and a
/// few are kept when freed: a third of the time of a JPEG decode would go into fresh pages.
enum PixelMemory {
  /// Bytes of freed blocks that are kept at most.
  static let keptByteLimit = 64 << 20

  private static let pageByteCount = 2 << 20
  private static let largeByteCount = 4 << 20
  private static let kept = Mutex(Kept())

  // SAFETY: a block belongs to nobody while it is kept, then to the one that takes it.
  private struct Block: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
  }

  private struct Kept {
    var blocks: [Block] = []
    var byteCount: Int { blocks.reduce(0) { $0 + $1.bytes.count } }
  }

  /// Memory of at least `byteCount` bytes with unknown contents, aligned for SIMD; `nil` when there
  /// is none to be had. To be given back with `free`.
  static func allocate(byteCount: Int) -> UnsafeMutableRawBufferPointer? {
    guard byteCount >= largeByteCount else { return allocateSmall(max(byteCount, 1)) }
    guard byteCount <= Int.max - pageByteCount else { return nil }
    let rounded = (byteCount + pageByteCount - 1) / pageByteCount * pageByteCount
    return takeKept(rounded) ?? map(rounded)
  }

  /// Gives memory back.
  static func free(_ block: UnsafeMutableRawBufferPointer) {
    guard block.count >= largeByteCount else {
      #if canImport(Darwin)
        Darwin.free(block.baseAddress)
      #elseif canImport(Musl)
        Musl.free(block.baseAddress)
      #else
        Glibc.free(block.baseAddress)
      #endif
      return
    }
    let freed = Block(bytes: block)
    let surplus: [Block] = kept.withLock { kept in
      guard freed.bytes.count <= keptByteLimit else { return [freed] }
      kept.blocks.append(freed)
      var surplus: [Block] = []
      while kept.byteCount > keptByteLimit { surplus.append(kept.blocks.removeFirst()) }
      return surplus
    }
    for block in surplus { munmap(block.bytes.baseAddress, block.bytes.count) }
  }

  private static func takeKept(_ byteCount: Int) -> UnsafeMutableRawBufferPointer? {
    let block: Block? = kept.withLock { kept in
      // A block is not spent on a request of less than half its size.
      let index = kept.blocks.lastIndex {
        $0.bytes.count >= byteCount && $0.bytes.count / 2 <= byteCount
      }
      return index.map { kept.blocks.remove(at: $0) }
    }
    return block?.bytes
  }

  private static func allocateSmall(_ byteCount: Int) -> UnsafeMutableRawBufferPointer? {
    var base: UnsafeMutableRawPointer?
    guard posix_memalign(&base, 64, byteCount) == 0, let base else { return nil }
    return UnsafeMutableRawBufferPointer(start: base, count: byteCount)
  }

  /// Pages from the system, beginning where a huge page does.
  private static func map(_ byteCount: Int) -> UnsafeMutableRawBufferPointer? {
    let reserved = byteCount + pageByteCount
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    guard let start = mmap(nil, reserved, PROT_READ | PROT_WRITE, flags, -1, 0),
      start != MAP_FAILED
    else { return nil }
    let address = Int(bitPattern: start)
    let lead = (pageByteCount - address % pageByteCount) % pageByteCount
    if lead > 0 { munmap(start, lead) }
    let base = start + lead
    let tail = reserved - lead - byteCount
    if tail > 0 { munmap(base + byteCount, tail) }
    #if os(Linux)
      madvise(base, byteCount, MADV_HUGEPAGE)
    #endif
    return UnsafeMutableRawBufferPointer(start: base, count: byteCount)
  }
}
