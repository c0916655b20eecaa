/// What the cache had to say of bytes: decided by its own rules, never by how they came.
public enum CacheVerdict: String, Sendable, Hashable, Codable {
  /// Stored, and good.
  case fresh
  /// Stored, past its time, and delivered because the server's words or the request allow it.
  case stale
  /// Stored, and confirmed by its server just now.
  case revalidated
  /// Not stored, or not to be used; the source was asked.
  case miss
  /// Stored, but its server has another one by now, which these bytes are.
  case changed
}
