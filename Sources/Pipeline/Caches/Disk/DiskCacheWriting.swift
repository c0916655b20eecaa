#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Changes of the folder. The mutex is held over the renames and removals themselves: the lock between
/// processes does not part threads of one process.
extension DiskCache {
  /// Writes an entry aside and renames it into its place; on failure nothing of it remains.
  func write(
    _ header: EntryHeader, _ bytes: ImageBytes, to name: EntryName
  ) throws(SystemError) {
    let temporary = folder.newTemporaryPath()
    let file = try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL)
    // Held until the file has its name: who finds one without its lock knows its writer is dead.
    _ = file.lock(waiting: false)
    do {
      try file.write(header.encoded())
      try bytes.withUnsafeBytes { raw throws(SystemError) in try file.write(raw) }
      file.setModified(configuration.now())
      let bucket = folder.bucket(name.bucket)
      let size = header.length + bytes.count
      try change(bucket: name.bucket) { () throws(SystemError) in
        try Self.move(temporary, into: bucket, as: name.text, size: size)
      }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// The files of an original's variants.
  func variants(of original: EntryName) -> [String] {
    var names: [String] = []
    try? forEachName(in: folder.bucket(original.bucket)) { name in
      if original.isVariant(name) { names.append(name) }
    }
    return names
  }

  func remove(_ name: EntryName) { removeFiles([name.text], in: name.bucket) }

  /// Removes files of one bucket. Best effort: what can not be removed stays, and stays counted.
  func removeFiles(_ names: [String], in bucket: Int) {
    let path = folder.bucket(bucket)
    try? change(bucket: bucket) { () throws(SystemError) in
      var change = FolderTotals.Amount()
      for name in names {
        guard let status = fileStatus(path + "/" + name) else { continue }
        removeTree(path + "/" + name)
        guard fileStatus(path + "/" + name) == nil else { continue }
        change.bytes -= status.size
        change.entries -= 1
      }
      return change
    }
  }

  /// Opens the folder anew after somebody removed it.
  func reopen() throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      try folder.make()
      state.totals = try FolderTotals.open(folder)
    }
  }

  /// Removes what killed writers and deleters left.
  func removeLeftovers() {
    var names: [String] = []
    try? forEachName(in: folder.temporary) { names.append($0) }
    for name in names {
      let path = folder.temporary + "/" + name
      if fileStatus(path)?.isDirectory == true {
        housekeeping.async { removeTree(path) }
      } else if let file = try? OpenFile(path, O_RDONLY) {
        if file.lock(waiting: false) { unlink(path) }
      } else {
        unlink(path)
      }
    }
  }

  private func change(
    bucket: Int, _ body: () throws(SystemError) -> FolderTotals.Amount
  ) throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      if state.totals == nil { return }
      try state.totals?.change(bucket: bucket, body)
    }
  }

  private static func move(
    _ temporary: String, into bucket: String, as name: String, size: Int
  ) throws(SystemError) -> FolderTotals.Amount {
    let target = bucket + "/" + name
    let former = fileStatus(target)
    if rename(temporary, target) != 0 {
      switch errno {
      case ENOENT: try makeFolder(bucket)
      case EISDIR, ENOTDIR: removeTree(target)
      default: throw .latest
      }
      guard rename(temporary, target) == 0 else { throw .latest }
    }
    return FolderTotals.Amount(
      bytes: size - (former?.size ?? 0), entries: former == nil ? 1 : 0)
  }
}
