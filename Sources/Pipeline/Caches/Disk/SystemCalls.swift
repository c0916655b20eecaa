#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the system said when a call failed.
struct SystemError: Error, Hashable {
  let code: Int32

  static var latest: SystemError { SystemError(code: errno) }

  var isMissing: Bool { code == ENOENT }
  /// The system's words for it.
  var reason: String { String(cString: strerror(code)) }
}

/// An open file; closed when it goes out of scope.
struct OpenFile: ~Copyable {
  let descriptor: Int32

  /// Opens `path`, repeating the call when a signal comes in between. Never follows a link at the
  /// end of the path.
  init(_ path: UnsafePointer<CChar>, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError) {
    let descriptor = retrying { open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode) }
    guard descriptor >= 0 else { throw .latest }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// What the system knows of the file.
  func status() throws(SystemError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .latest }
    return status
  }

  /// Writes all of `bytes` where the file stands.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      let written = retrying { systemWrite(descriptor, base, rest.count) }
      guard written > 0 else { throw written < 0 ? .latest : SystemError(code: EIO) }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }

  /// Writes all of `bytes` where the file stands.
  func write(_ bytes: [UInt8]) throws(SystemError) {
    let outcome = bytes.withUnsafeBytes { raw in
      Result { () throws(SystemError) in try write(raw) }
    }
    try outcome.get()
  }

  /// Fills `buffer` from `offset`; fails with `EIO` if the file is shorter.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) {
    var done = 0
    while done < buffer.count, let base = buffer.baseAddress {
      let count = retrying { pread(descriptor, base + done, buffer.count - done, offset + done) }
      guard count > 0 else { throw count < 0 ? .latest : SystemError(code: EIO) }
      done += count
    }
  }

  /// Writes all of `buffer` at `offset`.
  func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    var done = 0
    while done < buffer.count, let base = buffer.baseAddress {
      let count = retrying { pwrite(descriptor, base + done, buffer.count - done, offset + done) }
      guard count > 0 else { throw count < 0 ? .latest : SystemError(code: EIO) }
      done += count
    }
  }

  /// Sets the time of last change, in nanoseconds since 1970. Best effort: a folder that can not be
  /// written keeps its times.
  func setModified(_ nanoseconds: Int64) {
    let time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    withUnsafeTemporaryAllocation(of: timespec.self, capacity: 2) { times in
      times.initialize(repeating: time)
      _ = futimens(descriptor, times.baseAddress)
    }
  }

  /// Takes the whole-file lock; waits for it unless told not to. Whether it was had.
  ///
  /// The system frees it when the descriptor is closed, be it by the death of the process.
  func lock(waiting: Bool = true) -> Bool {
    retrying { flock(descriptor, waiting ? LOCK_EX : LOCK_EX | LOCK_NB) } == 0
  }

  func unlock() { _ = flock(descriptor, LOCK_UN) }
}

extension stat {
  var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
  var isDirectory: Bool { st_mode & S_IFMT == S_IFDIR }
  /// Time of last change, in nanoseconds since 1970; clocks and backups may set any: those further
  /// away than a century stop there.
  var modified: Int64 {
    #if canImport(Glibc)
      let time = st_mtim
    #else
      let time = st_mtimespec
    #endif
    let century: Int64 = 100 * 366 * 86_400
    let seconds = min(max(Int64(time.tv_sec), -century), 2 * century)
    return seconds * 1_000_000_000 + Int64(time.tv_nsec)
  }
  /// Bytes, as far as anybody has so many: the length of a file with holes can be any.
  var size: Int { Int(min(max(0, st_size), 1 << 48)) }
}

/// What the system knows of `path`, links not followed; `nil` if nothing is there.
func fileStatus(_ path: String) -> stat? {
  var status = stat()
  return lstat(path, &status) == 0 ? status : nil
}

/// Makes a folder and those above it; one that is there is fine.
func makeFolder(_ path: String) throws(SystemError) {
  if mkdir(path, 0o700) == 0 { return }
  let failure = SystemError.latest
  if failure.code == EEXIST, fileStatus(path).map({ !$0.isRegularFile }) == true { return }
  guard failure.isMissing, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
    throw failure
  }
  try makeFolder(String(path[..<slash]))
  guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .latest }
}

/// Calls `body` with the name of everything in a folder, `.` and `..` left out.
func forEachName(in folder: String, _ body: (String) -> Void) throws(SystemError) {
  guard let listing = opendir(folder) else { throw .latest }
  defer { closedir(listing) }
  while let found = readdir(listing) {
    let name = withUnsafeBytes(of: &found.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != ".", name != ".." { body(name) }
  }
}

/// Removes a file, a link, or a folder with all in it. Best effort: what can not be removed stays.
func removeTree(_ path: String) {
  guard let status = fileStatus(path) else { return }
  guard status.isDirectory else {
    unlink(path)
    return
  }
  var names: [String] = []
  try? forEachName(in: path) { names.append($0) }
  for name in names { removeTree(path + "/" + name) }
  rmdir(path)
}

/// Repeats a call that a signal interrupted.
func retrying<Result: SignedNumeric & Comparable>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result < 0, errno == EINTR { continue }
    return result
  }
}

private func systemWrite(_ descriptor: Int32, _ base: UnsafeRawPointer, _ count: Int) -> Int {
  #if canImport(Glibc)
    Glibc.write(descriptor, base, count)
  #else
    Darwin.write(descriptor, base, count)
  #endif
}
