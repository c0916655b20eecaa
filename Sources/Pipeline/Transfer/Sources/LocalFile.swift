#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads a file whole.
enum LocalFile {
  /// The bytes of the file at `path`.
  ///
  /// Blocks while the disk works, so it belongs on a thread that may wait. Pipes, devices and
  /// folders are refused before anything is read from them.
  /// - Throws: `.fileNotFound`, `.notAFile`, `.fileUnreadable`, `.emptyBody`, `.tooLarge`.
  static func bytes(at path: String, limit: Int) throws(DownloadError) -> ImageBytes {
    // Without O_NONBLOCK, opening a pipe waits for somebody to write.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw failure(errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    guard status.st_size <= limit else { throw .tooLarge(limit: limit) }

    // One more byte than announced shows the end at the first go, unless the file is growing.
    var block = ByteBlock(capacity: max(Int(status.st_size) + 1, 4096))
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

  private static func failure(_ code: Int32) -> DownloadError {
    if code == ENOENT || code == ENOTDIR { return .fileNotFound }
    return .fileUnreadable(reason: String(cString: strerror(code)).lowercased())
  }
}
