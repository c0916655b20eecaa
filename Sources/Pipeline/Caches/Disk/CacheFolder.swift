/// Where things are in a cache's folder:
///
/// - `entries/ab/abcd….jpg`: one file an entry, named by the SHA-256 of its key; variants of an
///   original carry its name and, after a dash, one of their own. Both end like the key's path, for
///   people who look. 256 folders, made when first needed.
/// - `temporary/`: files being written, and folders being deleted.
/// - `totals`: how many bytes and entries there are. `lock`, `trimming`: who may change that.
struct CacheFolder: Sendable, Hashable {
  static let bucketCount = 256

  let path: String

  var entries: String { path + "/entries" }
  var temporary: String { path + "/temporary" }
  var totals: String { path + "/totals" }
  var lock: String { path + "/lock" }
  var trimLock: String { path + "/trimming" }

  /// The folder of one bucket, 0 up to `bucketCount`.
  func bucket(_ index: Int) -> String {
    entries + "/" + hexadecimal([UInt8(index)])
  }

  /// The file of an entry.
  func path(of name: EntryName) -> String { bucket(name.bucket) + "/" + name.text }

  /// Calls `body` with the path of an entry's file as the system takes it: look-ups make no text.
  func withPath<Result>(
    of name: EntryName, _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    let infix: StaticString = "/entries/"
    var path = path
    return path.withUTF8 { path in
      let capacity = path.count + infix.utf8CodeUnitCount + 3 + EntryName.maximumLength + 1
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { text in
        var end = text[...].update(fromContentsOf: path)
        end = text[end...].update(
          fromContentsOf: UnsafeBufferPointer(
            start: infix.utf8Start, count: infix.utf8CodeUnitCount))
        end = writeHexadecimal(UInt8(name.bucket), to: text, at: end)
        text[end] = UInt8(ascii: "/")
        end = name.write(to: text, at: end + 1)
        text[end] = 0
        // SAFETY: the text was just written, ends in zero, and is used inside `body` only.
        return text.withMemoryRebound(to: CChar.self) { text in
          text.baseAddress.map { body($0) } ?? body("")
        }
      }
    }
  }

  /// Refuses a folder that holds other things than a cache's: they would be counted and deleted.
  func checkOwnership() throws(CacheError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw .unusableFolder(path: path, reason: "it is no path")
    }
    var names: Set<String> = []
    // A folder that is not there, or can not be read, says so when it is made.
    try? forEachName(in: path) { names.insert($0) }
    let isOurs =
      names.isSubset(of: ["entries", "temporary"])
      ? isEmpty(entries) && isEmpty(temporary)
      : fileStatus(entries)?.isDirectory == true && fileStatus(lock)?.size == 0
        || FolderTotals.isThere(totals)
    guard isOurs else {
      throw .unusableFolder(path: path, reason: "it holds other things than cached images")
    }
  }

  private func isEmpty(_ folder: String) -> Bool {
    var count = 0
    try? forEachName(in: folder) { _ in count += 1 }
    return count == 0
  }

  /// Makes what is missing of the folder.
  func make() throws(SystemError) {
    try makeFolder(entries)
    try makeFolder(temporary)
  }

  /// A path in `temporary` that nothing has.
  func newTemporaryPath() -> String {
    temporary + "/" + String(UInt64.random(in: .min ... .max), radix: 16)
  }
}
