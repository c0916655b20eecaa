#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a disk cache may hold, and for how long.
public struct DiskCacheConfiguration: Sendable {
  /// How long an entry lives.
  public enum Lifetime: Sendable, Hashable {
    /// Until nobody has used it for so long.
    case sinceLastUse(Duration)
    /// Until so long after it was stored, however often it is used.
    case sinceStoring(Duration)
    /// Until the size limit takes it.
    case unlimited
  }

  /// Bytes of all entries, headers included; 512 MiB unless told otherwise.
  public var maximumSize = 512 << 20
  /// To which part of `maximumSize` trimming goes, so that it is rare; 0.7 unless told otherwise.
  public var trimmedPart = 0.7
  /// Seven days since last use, unless told otherwise.
  public var lifetime = Lifetime.sinceLastUse(.seconds(7 * 24 * 3600))
  /// Seals entries, keys and responses with them; `nil` writes them as they are.
  public var cipher: (any EntryCipher)?
  /// Folders of other caches that are asked after this one's own, and never changed: what a
  /// program ships with, or what another user fills.
  public var readOnlyFolders: [String] = []
  /// The clock: nanoseconds since 1970.
  public var now: @Sendable () -> Int64 = { systemTime() }

  /// What names entries by their keys.
  var digest: EntryName.Digest = { SHA256.words(of: $0) }

  /// The defaults.
  public init() {}

  /// The system's clock: nanoseconds since 1970.
  static func systemTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// `$XDG_CACHE_HOME/<name>` if that is set to an absolute path, else `~/.cache/<name>`.
  public static func standardFolder(named name: String) -> String {
    standardFolder(named: name) { variable in getenv(variable).map { String(cString: $0) } }
  }

  /// The same for variables of your own.
  static func standardFolder(named name: String, variable: (String) -> String?) -> String {
    if let base = variable("XDG_CACHE_HOME"), base.hasPrefix("/") { return base + "/" + name }
    return (variable("HOME") ?? "/tmp") + "/.cache/" + name
  }

  /// How far the recorded last use may lag behind the true one, so that a hit seldom writes.
  var recencyLag: Int64 {
    guard case .sinceLastUse(let age) = lifetime else { return 1_000_000_000 }
    return min(1_000_000_000, age.nanoseconds / 8)
  }

  /// The time before which an unused entry is dead; `nil` if none is.
  var deadline: Int64? {
    switch lifetime {
    case .sinceLastUse(let age), .sinceStoring(let age): now() &- age.nanoseconds
    case .unlimited: nil
    }
  }
}
