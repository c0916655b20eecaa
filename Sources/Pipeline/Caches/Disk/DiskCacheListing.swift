/// One file of a disk cache, as its header describes it.
public struct ListedEntry: Sendable, Hashable {
  /// What it is stored under; `nil` for damaged files.
  public var key: String?
  /// Names an image made from the original under `key`; empty for the original.
  public var variant = ""
  /// Bytes of the file, header included.
  public var byteCount: Int
  /// When it was last used, in nanoseconds since 1970.
  public var lastUse: Int64
  /// The response the bytes came in, if any was stored.
  public var response: ImageResponse?
  /// The file.
  public var path: String
}

/// Looking at all entries: for people and programs that look after a cache, not for loads.
extension DiskCache {
  /// Describes every file, damaged ones among them, in no order. Reads all of them: takes time with
  /// their sizes. Neither uses nor removes any.
  ///
  /// - Parameter body: Called for each; what is stored meanwhile may be left out.
  public func forEachEntry(_ body: (ListedEntry) -> Void) {
    for bucket in 0..<CacheFolder.bucketCount {
      for name in names(in: bucket) {
        let path = folder.bucket(bucket) + "/" + name
        if let entry = listedEntry(path) { body(entry) }
      }
    }
  }

  /// Checks every file, and removes those that are damaged, foreign, or no files.
  ///
  /// - Returns: How many are whole, and how many were removed.
  public func verify() -> (whole: Int, removed: Int) {
    var result = (whole: 0, removed: 0)
    for bucket in 0..<CacheFolder.bucketCount {
      var damaged: [String] = []
      for name in names(in: bucket) {
        let entry = listedEntry(folder.bucket(bucket) + "/" + name)
        if entry?.key != nil { result.whole += 1 } else if entry != nil { damaged.append(name) }
      }
      result.removed += damaged.count
      for _ in damaged { counters.foundDamaged() }
      removeFiles(damaged, in: bucket)
    }
    return result
  }

  private func names(in bucket: Int) -> [String] {
    var names: [String] = []
    // A bucket that is not there has none.
    try? forEachName(in: folder.bucket(bucket)) { names.append($0) }
    return names
  }

  /// `nil` when the file is gone by now.
  private func listedEntry(_ path: String) -> ListedEntry? {
    guard let status = fileStatus(path) else { return nil }
    var entry = ListedEntry(
      byteCount: status.size, lastUse: status.modified, path: path)
    guard let found = try? EntryFile.read(path, cipher: configuration.cipher) else {
      return fileStatus(path) == nil ? nil : entry
    }
    // The right bytes under another key's name answer nobody.
    guard let key = key(of: found, at: path) else { return entry }
    entry.key = key.key
    entry.variant = key.variant
    entry.response = found.entry.response
    return entry
  }

  /// What names the file: a zero byte may part key and variant, or belong to the one or the other.
  private func key(of found: EntryFile.Opened, at path: String) -> EntryKey? {
    let bytes = found.key.prefix(.max)
    let candidates =
      [EntryKey(String(decoding: bytes, as: UTF8.self), "")]
      + bytes.indices.filter { bytes[$0] == 0 }.map { zero in
        EntryKey(
          String(decoding: bytes[..<zero], as: UTF8.self),
          String(decoding: bytes[(zero + 1)...], as: UTF8.self))
      }
    return candidates.first { path.hasSuffix("/" + name(for: $0.key, $0.variant).text) }
  }
}
