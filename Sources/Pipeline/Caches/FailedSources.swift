import Synchronization

/// Sources that failed for good, so that they are not asked again for a while.
///
/// Remembered is what asking again does not heal: a source that is gone, or is no picture. Trouble
/// of the connection or the server is not. Safe from any thread; answers at once.
public final class FailedSources: Sendable {
  /// How long failures are remembered, by kind; zero remembers none.
  public struct Lifetimes: Sendable, Hashable {
    /// 404: it may appear yet. Ten minutes unless told otherwise.
    public var missing: Duration = .seconds(600)
    /// 410, and files that are not there: an hour unless told otherwise.
    public var gone: Duration = .seconds(3600)
    /// Bytes that are no picture: an hour unless told otherwise.
    public var undecodable: Duration = .seconds(3600)

    /// The defaults.
    public init() {}
  }

  /// One source that failed.
  public struct Entry: Sendable, Hashable {
    /// The key of its bytes, or of the decode that failed.
    public let key: String
    /// How it failed.
    public let error: LoadError
    /// When it will be asked again.
    public let until: ContinuousClock.Instant
  }

  private let entries = Mutex<LRUList<String, Entry>>(LRUList())
  private let lifetimes: Lifetimes
  private let limit: Int
  private let now: @Sendable () -> ContinuousClock.Instant

  /// Remembers nothing yet.
  ///
  /// - Parameters:
  ///   - lifetimes: How long each kind of failure is remembered.
  ///   - limit: Entries; beyond it the least recently asked for go. 10,000 unless told otherwise.
  ///   - now: The clock.
  public init(
    lifetimes: Lifetimes = Lifetimes(), limit: Int = 10_000,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    self.lifetimes = lifetimes
    self.limit = max(0, limit)
    self.now = now
  }

  /// How a load of this failed, if it did and is not to be tried again yet.
  public func failure(for request: ImageRequest) -> LoadError? {
    failure(for: RequestKeys(request))
  }

  func failure(for keys: RequestKeys) -> LoadError? {
    let time = now()
    return entries.withLock { entries in
      for key in [keys.original, Self.decodeKey(keys)] {
        guard let slot = entries.use(key), let entry = entries.value(at: slot) else { continue }
        if entry.until > time { return entry.error }
        _ = entries.remove(key)
      }
      return nil
    }
  }

  /// Remembers a failure if asking again would not heal it; whether it does.
  ///
  /// Bytes that are no picture are remembered for the decode that found it out: other limits may
  /// let them pass. Sources on this machine are never remembered: asking them costs nothing.
  @discardableResult
  public func note(_ error: LoadError, for request: ImageRequest) -> Bool {
    guard request.isRemote, let lifetime = lifetime(of: error), lifetime > .zero else {
      return false
    }
    let keys = RequestKeys(request)
    var key = keys.original
    if case .decode = error { key = Self.decodeKey(keys) }
    let entry = Entry(key: key, error: error, until: now() + lifetime)
    entries.withLock { entries in
      _ = entries.insert(entry, cost: 0, storedAt: nil, for: key)
      while entries.count > limit { _ = entries.removeLeastRecentlyUsed() }
    }
    return true
  }

  /// Forgets how loads of this source failed, however it was to be decoded.
  public func forget(_ request: ImageRequest) {
    let key = RequestKeys(request).original
    entries.withLock { entries in
      _ = entries.remove(key)
      for other in entries.keys where other.hasPrefix(key + RequestKeys.separator) {
        _ = entries.remove(other)
      }
    }
  }

  /// Forgets what a load that succeeded has disproved.
  func forget(_ keys: RequestKeys) {
    entries.withLock { entries in
      _ = entries.remove(keys.original)
      _ = entries.remove(Self.decodeKey(keys))
    }
  }

  private static func decodeKey(_ keys: RequestKeys) -> String {
    keys.decode + RequestKeys.separator + "decoded"
  }

  /// Forgets everything.
  public func forgetAll() {
    entries.withLock { $0 = LRUList() }
  }

  /// What is remembered now, latest asked for first; takes time with their number.
  public var all: [Entry] {
    let time = now()
    return entries.withLock { entries in
      entries.keys.compactMap { entries.peek($0).flatMap { entries.value(at: $0) } }.filter {
        $0.until > time
      }
    }
  }

  private func lifetime(of error: LoadError) -> Duration? {
    switch error {
    case .download(.refused(status: 404, retryAfter: _), source: _): lifetimes.missing
    case .download(.refused(status: 410, retryAfter: _), source: _): lifetimes.gone
    case .decode(.cancelled, source: _), .decode(.outOfMemory, source: _),
      .decode(.notAnimated, source: _):
      nil
    case .decode: lifetimes.undecodable
    default: nil
    }
  }
}
