/// Why a cache did not answer or did not store.
public enum CacheError: Error, Sendable, Hashable {
  /// Only caches were asked, and none has it.
  case notCached
  /// The folder can not be made, read or written; `reason` is the system's word for it.
  case unusableFolder(path: String, reason: String)
  /// A tier on another machine does not answer; `reason` is one sentence without full stop.
  case outOfReach(tier: String, reason: String)
  /// An entry could not be written; nothing of it remains.
  case notWritten(path: String, reason: String)
}

extension CacheError: CustomStringConvertible {
  /// One plain sentence, without full stop.
  public var description: String {
    switch self {
    case .notCached: "it is in no cache, and the network was not allowed"
    case .unusableFolder(let path, let reason):
      "the cache folder \(path) can not be used: \(reason)"
    case .outOfReach(let tier, let reason): "the cache \(tier) is out of reach: \(reason)"
    case .notWritten(let path, let reason): "the cache entry \(path) was not written: \(reason)"
    }
  }
}
