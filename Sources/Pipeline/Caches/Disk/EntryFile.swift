#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reading one entry's file.
enum EntryFile {
  /// An entry that is whole, and when it was last used, in nanoseconds since 1970.
  struct Found {
    let entry: DiskEntry
    let lastUse: Int64
  }

  /// Why a file gives no entry.
  enum Failure: Error {
    case missing
    /// The file holds another key of the same name.
    case otherKey
    case damaged
    case system(SystemError)
  }

  /// Files up to this size are copied, which costs less than mapping them.
  static let copiedLength = 128 << 10

  /// An entry of any key.
  struct Opened {
    let key: ImageBytes
    let entry: DiskEntry
  }

  /// Reads the entry at `path` and checks all of it.
  static func read(
    _ path: UnsafePointer<CChar>, key wanted: EntryKey, cipher: (any EntryCipher)?
  ) throws(Failure) -> Found {
    let (memory, lastUse) = try contents(of: path)
    return Found(entry: try entry(in: memory, key: wanted, cipher: cipher), lastUse: lastUse)
  }

  /// Reads the entry at `path`, whatever its key, and checks all of it.
  static func read(
    _ path: UnsafePointer<CChar>, cipher: (any EntryCipher)?
  ) throws(Failure) -> Opened {
    let memory = try contents(of: path).memory
    return try opened(memory, wanted: nil, cipher: cipher)
  }

  /// Reads the entry that `memory` holds and checks all of it.
  static func entry(
    in memory: ImageBytes, key wanted: EntryKey, cipher: (any EntryCipher)?
  ) throws(Failure) -> DiskEntry {
    try opened(memory, wanted: wanted, cipher: cipher).entry
  }

  /// With a `wanted` key that is compared.
  private static func opened(
    _ memory: ImageBytes, wanted: EntryKey?, cipher: (any EntryCipher)?
  ) throws(Failure) -> Opened {
    let found = try memory.withUnsafeBytes { file throws(Failure) in
      guard let layout = EntryLayout(of: file) else { throw .damaged }
      let key = UnsafeRawBufferPointer(rebasing: file[layout.key])
      if cipher != nil {
        guard key.isEmpty else { throw .otherKey }
      } else if let wanted, !wanted.matches(key) {
        throw .otherKey
      }
      let body = UnsafeRawBufferPointer(rebasing: file[layout.body])
      guard Checksum.of(body) == layout.bodyChecksum else { throw .damaged }
      let entry = DiskEntry(
        bytes: memory.part(layout.body), storedAt: layout.storedAt,
        metadata: memory.part(layout.metadata))
      return Opened(key: memory.part(layout.key), entry: entry)
    }
    guard let cipher else { return found }
    // Whatever the cipher says, an entry it can not open is of no use any more.
    guard let bytes = try? cipher.open(found.entry.bytes),
      let opened = SealedPayload.decode(bytes, storedAt: found.entry.storedAt)
    else { throw .damaged }
    guard opened.key.withUnsafeBytes({ wanted?.matches($0) ?? true }) else { throw .otherKey }
    return opened
  }

  private static func contents(
    of path: UnsafePointer<CChar>
  ) throws(Failure) -> (memory: ImageBytes, lastUse: Int64) {
    do {
      let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
      let status = try file.status()
      guard status.isRegularFile, status.st_size >= EntryHeader.fixedLength else {
        throw Failure.damaged
      }
      return (try contents(of: file, count: status.size), status.modified)
    } catch let failure as Failure {
      throw failure
    } catch let failure as SystemError {
      switch failure.code {
      case ENOENT: throw .missing
      case ELOOP, ENOTDIR, EIO: throw .damaged
      default: throw .system(failure)
      }
    } catch {
      throw .damaged
    }
  }

  /// Notes a use. Best effort: a file that is gone by now needs none.
  static func touch(_ path: UnsafePointer<CChar>, at time: Int64) {
    guard let file = try? OpenFile(path, O_RDONLY) else { return }
    file.setModified(time)
  }

  private static func contents(
    of file: borrowing OpenFile, count: Int
  ) throws(SystemError) -> ImageBytes {
    if count <= copiedLength {
      let block = ByteBlock(capacity: count)
      try file.read(into: UnsafeMutableRawBufferPointer(rebasing: block.bytes[..<count]), at: 0)
      return ImageBytes(owner: block, base: UnsafeRawPointer(block.bytes.baseAddress), count: count)
    }
    guard let mapping = FileMapping(descriptor: file.descriptor, count: count) else {
      throw .latest
    }
    return ImageBytes(owner: mapping, base: mapping.base, count: count)
  }
}
