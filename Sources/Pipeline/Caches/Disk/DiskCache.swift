import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Bytes on disk, by key: one file an entry, shared by all processes that open the folder.
///
/// Entries are named by the SHA-256 of their key; each holds its whole key, and a checksum of all it
/// holds, so that a damaged or foreign file is a miss and never a wrong image. They are written aside
/// and renamed: a reader sees a whole entry or none, also when the writer is killed. Nothing is
/// forced to the platter; what a power cut damages is a miss.
///
/// The last use is kept as the file's time of change, set by the cache itself, because many systems
/// do not keep access times. The total is kept in a file of its own (see `FolderTotals`), so that
/// opening and storing need no scan.
///
/// All calls block on the file system; make them on a worker. Safe from any thread.
public final class DiskCache: CacheTier {
  /// What the cache holds and how it has answered since it was opened.
  public struct Statistics: Sendable, Hashable {
    /// Bytes of all entries, those of other processes among them.
    public internal(set) var byteCount = 0
    /// Number of entries.
    public internal(set) var entryCount = 0
    /// Look-ups answered.
    public internal(set) var hits = 0
    /// Look-ups not answered.
    public internal(set) var misses = 0
    /// Damaged or foreign files found in an entry's place, and removed.
    public internal(set) var damaged = 0
    /// Entries found too old, and removed.
    public internal(set) var expired = 0
    /// Entries removed to keep to the size limit.
    public internal(set) var evictions = 0
    /// Stores and look-ups that failed: a full disk, a folder that may not be written.
    public internal(set) var failures = 0
    /// How the last of them failed.
    public internal(set) var lastFailure: CacheError?
  }

  struct State: ~Copyable {
    var totals: FolderTotals?
    var isTrimming = false
    var lastSweep: Int64
  }

  let folder: CacheFolder
  let configuration: DiskCacheConfiguration
  let state: Mutex<State>
  let counters = DiskCounters()
  /// Trims and deletes behind the callers' backs, one job at a time.
  let housekeeping = DispatchQueue(label: "disk cache", qos: .utility)
  /// Notes uses: a look-up writes nothing itself, so that a busy disk does not delay it.
  let noting = DispatchQueue(label: "disk cache uses", qos: .utility)
  private let unnoted = Atomic(0)

  /// Opens a folder, making it if need be, and removes what killed writers left in it.
  ///
  /// Takes the same time however many entries there are.
  /// - Throws: `.unusableFolder` if it can not be made, read or written, or holds other things.
  public init(
    folder path: String, configuration: DiskCacheConfiguration = DiskCacheConfiguration()
  ) throws(CacheError) {
    folder = CacheFolder(path: path)
    self.configuration = configuration
    try folder.checkOwnership()
    do {
      try folder.make()
      state = Mutex(
        State(totals: try FolderTotals.open(folder), lastSweep: configuration.now()))
    } catch {
      throw .unusableFolder(path: path, reason: error.reason)
    }
    removeLeftovers()
  }

  /// The folder.
  public var path: String { folder.path }

  /// The file of `key`, whether it is there or not.
  ///
  /// - Parameters:
  ///   - key: Names the original: `RequestKeys.original`, or any text of yours.
  ///   - variant: Names an image made from the original under `key`; empty for the original.
  public func path(for key: String, variant: String = "") -> String {
    folder.path(of: name(for: key, variant))
  }

  /// What is stored under `key`; `nil` if nothing is, or what is there is damaged or too old. What
  /// this folder misses is looked for in the read-only ones, where nothing ages.
  ///
  /// - Throws: `.unusableFolder` when the file is there and can not be read.
  public func entry(for key: String, variant: String = "") throws(CacheError) -> DiskEntry? {
    let name = name(for: key, variant)
    let wanted = EntryKey(key, variant)
    switch read(name, wanted) {
    case .success(let entry?): return entry
    // Two keys may have one name; what is stored is then the other's.
    case .success(nil), .failure(.missing), .failure(.otherKey): break
    case .failure(.damaged):
      counters.foundDamaged()
      remove(name)
    case .failure(.system(let failure)):
      let error = CacheError.unusableFolder(path: folder.path(of: name), reason: failure.reason)
      counters.failed(error)
      throw error
    }
    if let entry = readOnlyEntry(name, wanted) { return entry }
    counters.miss()
    return nil
  }

  /// What is there and not too old; notes the use.
  private func read(
    _ name: EntryName, _ wanted: EntryKey
  ) -> Result<DiskEntry?, EntryFile.Failure> {
    folder.withPath(of: name) { path in
      Result { () throws(EntryFile.Failure) in
        let found = try EntryFile.read(path, key: wanted, cipher: configuration.cipher)
        let now = configuration.now()
        if isExpired(found, now: now) {
          counters.foundExpired()
          remove(name)
          return nil
        }
        if now - found.lastUse > configuration.recencyLag { note(name, usedAt: now) }
        counters.hit()
        return found.entry
      }
    }
  }

  private func note(_ name: EntryName, usedAt time: Int64) {
    let touch = { @Sendable [folder] in folder.withPath(of: name) { EntryFile.touch($0, at: time) }
    }
    // A disk that does not keep up is waited for, rather than used entries be taken for unused.
    guard unnoted.load(ordering: .relaxed) < 256 else { return touch() }
    unnoted.add(1, ordering: .relaxed)
    noting.async {
      touch()
      self.unnoted.subtract(1, ordering: .relaxed)
    }
  }

  /// What a read-only folder holds; damage there is a miss, and stays.
  private func readOnlyEntry(_ name: EntryName, _ wanted: EntryKey) -> DiskEntry? {
    for path in configuration.readOnlyFolders {
      let found = CacheFolder(path: path).withPath(of: name) { path in
        try? EntryFile.read(path, key: wanted, cipher: configuration.cipher)
      }
      if let found {
        counters.hit()
        return found.entry
      }
    }
    return nil
  }

  /// Whether `key` has a file; neither reads nor uses it.
  public func contains(_ key: String, variant: String = "") -> Bool {
    fileStatus(path(for: key, variant: variant))?.isRegularFile == true
  }

  /// Stores bytes under `key`, in place of what was there.
  ///
  /// When this takes the folder over its limit, trimming begins behind the caller's back; a store
  /// that finds it a twentieth over the limit waits for that. `flush` waits in any case.
  /// - Throws: `.notWritten`; what was there before is there still, and nothing else remains.
  public func store(
    _ bytes: ImageBytes, response: StoredResponse? = nil, for key: String, variant: String = ""
  ) throws(CacheError) {
    do {
      try write(bytes, response, key, variant)
    } catch {
      counters.failed(error)
      throw error
    }
    keepToLimits()
  }

  private func write(
    _ bytes: ImageBytes, _ response: StoredResponse?, _ key: String, _ variant: String
  ) throws(CacheError) {
    let name = name(for: key, variant)
    let (header, bytes) = try sealed(bytes, response, key, variant, path: folder.path(of: name))
    guard header.length <= EntryHeader.maximumLength else {
      throw .notWritten(path: folder.path(of: name), reason: "its key and headers are too long")
    }
    guard header.length + bytes.count <= configuration.maximumSize else {
      throw .notWritten(path: folder.path(of: name), reason: "it is larger than the cache may be")
    }
    do {
      try write(header, bytes, to: name)
    } catch  where error.isMissing {
      // Somebody took the folder, or swept the new file before it was locked: once more.
      do {
        try reopen()
        try write(header, bytes, to: name)
      } catch {
        throw .notWritten(path: folder.path(of: name), reason: error.reason)
      }
    } catch {
      throw .notWritten(path: folder.path(of: name), reason: error.reason)
    }
  }

  /// Removes what is stored under `key`, and with an original all its variants.
  public func remove(_ key: String) {
    let original = name(for: key, "")
    removeFiles([original.text] + variants(of: original), in: original.bucket)
  }

  /// Removes all variants of what is stored under `key`, and leaves that.
  public func removeVariants(of key: String) {
    let original = name(for: key, "")
    let names = variants(of: original)
    if !names.isEmpty { removeFiles(names, in: original.bucket) }
  }

  /// Removes one variant.
  public func remove(_ key: String, variant: String) {
    remove(name(for: key, variant))
  }

  /// Removes everything, by one rename; the files themselves go behind the caller's back.
  ///
  /// - Throws: `.unusableFolder` if the folder can not be written.
  public func removeAll() throws(CacheError) {
    let trash = folder.newTemporaryPath()
    do {
      try state.withLock { state throws(SystemError) in
        try state.totals?.clear { () throws(SystemError) in
          guard rename(folder.entries, trash) == 0 || errno == ENOENT else { throw .latest }
          try folder.make()
        }
      }
    } catch {
      throw .unusableFolder(path: folder.path, reason: error.reason)
    }
    housekeeping.async { removeTree(trash) }
  }

  /// Waits until noting uses, trimming and deleting that have begun are done.
  public func flush() {
    noting.sync {}
    housekeeping.sync {}
  }

  /// What the cache holds and how it has answered.
  public var statistics: Statistics {
    let total = state.withLock { $0.totals?.total } ?? FolderTotals.Amount()
    var statistics = counters.statistics
    statistics.byteCount = total.bytes
    statistics.entryCount = total.entries
    return statistics
  }

  private func sealed(
    _ bytes: ImageBytes, _ response: StoredResponse?, _ key: String, _ variant: String, path: String
  ) throws(CacheError) -> (EntryHeader, ImageBytes) {
    do {
      return try EntryHeader.sealing(
        bytes, key: EntryKey(key, variant).bytes, metadata: ResponseRecord.encode(response),
        cipher: configuration.cipher, storedAt: configuration.now() / 1_000_000)
    } catch {
      throw .notWritten(path: path, reason: "it could not be sealed: \(error)")
    }
  }

  /// What a cipher hides is not told by the name either.
  func name(for key: String, _ variant: String) -> EntryName {
    EntryName(
      key: key, variant: variant, showsEnding: configuration.cipher == nil,
      digest: configuration.digest)
  }

  private func isExpired(_ found: EntryFile.Found, now: Int64) -> Bool {
    switch configuration.lifetime {
    case .unlimited: false
    case .sinceLastUse(let age): now - found.lastUse > age.nanoseconds
    case .sinceStoring(let age):
      now / 1_000_000 - found.entry.storedAt > age.nanoseconds / 1_000_000
    }
  }
}
