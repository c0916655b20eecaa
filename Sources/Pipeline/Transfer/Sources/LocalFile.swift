#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's function; members of the same name hide it.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

/// Reads a file whole, or maps it.
enum LocalFile {
  /// The bytes of the file at `path`.
  ///
  /// Blocks while the disk works, so it belongs on a thread that may wait. Pipes, devices and
  /// folders are refused before anything is read from them.
  /// - Throws: `.fileNotFound`, `.notAFile`, `.fileUnreadable`, `.emptyBody`, `.tooLarge`.
  static func bytes(at path: String, limit: Int) throws(DownloadError) -> ImageBytes {
    let (file, size) = try open(path)
    defer { close(file) }
    guard size <= limit else { throw .tooLarge(limit: limit) }

    // One more byte than announced shows the end at the first go, unless the file is growing.
    var block = ByteBlock(capacity: max(size + 1, 4096))
    var count = 0
    while true {
      let room = block.bytes.count - count
      let length = read(file, block.bytes.baseAddress?.advanced(by: count), room)
      if length < 0 {
        guard errno == EINTR else { throw failure(errno) }
        continue
      }
      if length == 0 { break }
      count += length
      guard count <= limit else { throw .tooLarge(limit: limit) }
      if count == block.bytes.count {
        let larger = ByteBlock(capacity: count * 2)
        larger.bytes.copyMemory(from: UnsafeRawBufferPointer(block.bytes))
        block = larger
      }
    }
    guard count > 0 else { throw .emptyBody }
    return ImageBytes(owner: block, base: UnsafeRawPointer(block.bytes.baseAddress), count: count)
  }

  /// The bytes of the file at `path`, mapped.
  static func mapping(of path: String) throws(DownloadError) -> ImageBytes {
    let (file, size) = try open(path)
    defer { close(file) }
    guard size > 0 else { throw .emptyBody }
    guard let mapping = FileMapping(descriptor: file, count: size) else { throw failure(errno) }
    return ImageBytes(owner: mapping, base: mapping.base, count: size)
  }

  /// Opens a regular file; its descriptor, to be closed, and how many bytes it has.
  private static func open(_ path: String) throws(DownloadError) -> (file: Int32, size: Int) {
    // Without O_NONBLOCK, opening a pipe waits for somebody to write.
    let file = systemOpen(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw failure(errno) }
    var status = stat()
    let isKnown = fstat(file, &status) == 0
    let code = errno
    guard isKnown, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw isKnown ? .notAFile : failure(code)
    }
    return (file, Int(status.st_size))
  }

  private static func failure(_ code: Int32) -> DownloadError {
    if code == ENOENT || code == ENOTDIR { return .fileNotFound }
    return .fileUnreadable(reason: String(cString: strerror(code)).lowercased())
  }
}

extension ImageBytes {
  /// The bytes of a file, read where they are touched and not held: decoding a large picture needs
  /// no memory for them.
  ///
  /// - Parameters:
  ///   - path: Of a regular file. Its bytes must stay as they are while these are in use: the system
  ///     ends a process that touches what has been cut off since.
  /// - Throws: `DownloadError`, as the load of a `file:` address does.
  public init(mappingFileAt path: String) throws(DownloadError) {
    self = try LocalFile.mapping(of: path)
  }
}
