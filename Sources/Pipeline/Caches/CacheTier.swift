/// Where encoded bytes are kept: the disk, or something behind it that several machines share.
///
/// Calls block; they are made on workers. A tier that is out of reach misses rather than throws: what
/// is lost with it is speed, never a load.
public protocol CacheTier: Sendable {
  /// The bytes under `key`; `nil` on a miss.
  ///
  /// - Throws: `CacheError` when it is there and can not be read.
  func entry(for key: String, variant: String) throws(CacheError) -> DiskEntry?

  /// Keeps bytes under `key`, in place of what was there.
  ///
  /// - Throws: `CacheError` when they could not be kept.
  func store(
    _ bytes: ImageBytes, response: StoredResponse?, for key: String, variant: String
  ) throws(CacheError)

  /// Forgets `key` with all its variants.
  func remove(_ key: String)

  /// Forgets the variants of `key`, and leaves the original. Unless implemented, they stay.
  func removeVariants(of key: String)

  /// Forgets everything.
  ///
  /// - Throws: `CacheError` when it can not.
  func removeAll() throws(CacheError)

  /// Whether this process is the one to fetch `key`, which was a miss just now.
  ///
  /// Unless implemented, there are no others.
  func fetchTurn(for key: String) -> FetchTurn
}

extension CacheTier {
  /// They stay.
  public func removeVariants(of key: String) {}

  /// There are no others.
  public func fetchTurn(for key: String) -> FetchTurn { .free }
}

/// Who fetches what is in no cache.
public enum FetchTurn: Sendable {
  /// Nobody keeps count: fetch it.
  case free
  /// This load: fetch it, store it, then let the claim go.
  case mine(FetchClaim)
  /// Another process: look again after a while.
  case taken(lookAgainAfter: Duration)
}

/// The right to fetch something, which others respect while this is held.
public final class FetchClaim: Sendable {
  private let release: @Sendable () -> Void

  /// - Parameter release: Gives the right back; called once, when the claim is released.
  public init(release: @escaping @Sendable () -> Void) { self.release = release }

  deinit { release() }
}
