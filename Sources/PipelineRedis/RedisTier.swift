import Dispatch
import Pipeline
import Synchronization

/// A cache tier in a Redis server, which all machines that know it share.
///
/// ```swift
/// let cache = ImageCache(memory: memory, disk: disk, further: [RedisTier(configuration)])
/// ```
/// What one machine has fetched the others find; what several want at once one of them fetches, and
/// the others wait for it, at most until its claim expires. A server that is lost, slow or broken is a
/// miss: no call waits beyond the timeout, and after a failure it is left alone for a while. Entries
/// hold their whole key and a checksum: a damaged one is a miss.
///
/// All calls block on the network; make them on a worker. Safe from any thread.
public final class RedisTier: CacheTier {
  /// How the tier has answered.
  public struct Statistics: Sendable, Hashable {
    /// Look-ups answered.
    public internal(set) var hits = 0
    /// Look-ups not answered.
    public internal(set) var misses = 0
    /// Entries that were no good, and removed.
    public internal(set) var damaged = 0
    /// Calls that failed or took too long.
    public internal(set) var failures = 0
    /// Calls not made because the server failed just before.
    public internal(set) var skipped = 0
    /// In words, what the last failure was.
    public internal(set) var lastFailure: String?
  }

  private struct State {
    var idle: [RedisConnection] = []
    var pausedUntil: ContinuousClock.Instant?
    var statistics = Statistics()
  }

  /// Where the server is.
  public let configuration: RedisConfiguration
  private let lookup: HostLookup
  private let state = Mutex(State())
  /// Where claims are given back, so that nobody waits for that.
  private let releases = DispatchQueue(label: "flow.redis-releases")
  private static let keptConnections = 4

  /// Describes a tier; the first call connects.
  public convenience init(_ configuration: RedisConfiguration = RedisConfiguration()) {
    self.init(configuration, lookup: HostLookup(of: configuration.host))
  }

  init(_ configuration: RedisConfiguration, lookup: HostLookup) {
    self.configuration = configuration
    self.lookup = lookup
  }

  /// The bytes under `key`; `nil` on a miss, and when the server does not answer in time.
  public func entry(for key: String, variant: String) -> DiskEntry? {
    let name = entryName(key)
    guard case .bytes(let bytes) = call([["HGET", name, variant].map { Array($0.utf8) }])?.first
    else {
      count { $0.misses += 1 }
      return nil
    }
    let entry = PortableEntry.decode(
      ImageBytes(bytes), key: key, variant: variant, cipher: configuration.cipher)
    if entry == nil { _ = call([["HDEL", name, variant].map { Array($0.utf8) }]) }
    count { statistics in
      if entry == nil { statistics.damaged += 1 }
      if entry == nil { statistics.misses += 1 } else { statistics.hits += 1 }
    }
    return entry
  }

  /// Keeps bytes under `key`, unless they are too large or the server does not answer in time.
  public func store(
    _ bytes: ImageBytes, response: StoredResponse?, for key: String, variant: String
  ) {
    let entry = PortableEntry.encode(
      bytes, response: response, key: key, variant: variant, cipher: configuration.cipher)
    guard let entry, entry.count <= configuration.maximumEntrySize else { return }
    let name = Array(entryName(key).utf8)
    _ = call([
      [Array("HSET".utf8), name, Array(variant.utf8), entry],
      [Array("PEXPIRE".utf8), name, Array("\(configuration.lifetime.milliseconds)".utf8)],
    ])
  }

  /// Forgets `key` with all its variants, if the server answers in time.
  public func remove(_ key: String) {
    _ = call([["DEL", entryName(key)].map { Array($0.utf8) }])
  }

  /// Forgets the variants of `key`, if the server answers in time.
  public func removeVariants(of key: String) {
    let name = Array(entryName(key).utf8)
    guard case .list(let fields) = call([[Array("HKEYS".utf8), name]])?.first else { return }
    let variants = fields.compactMap { field in
      if case .bytes(let variant) = field, !variant.isEmpty { variant } else { nil }
    }
    if !variants.isEmpty { _ = call([[Array("HDEL".utf8), name] + variants]) }
  }

  /// Forgets everything whose key begins with the prefix.
  ///
  /// - Throws: `.outOfReach` when the server does not answer.
  public func removeAll() throws(CacheError) {
    let pattern = String(
      configuration.prefix.flatMap { "*?[]\\".contains($0) ? ["\\", $0] : [$0] })
    var cursor = "0"
    repeat {
      let scan = ["SCAN", cursor, "MATCH", pattern + "*", "COUNT", "1000"].map { Array($0.utf8) }
      guard case .list(let parts) = call([scan])?.first, parts.count == 2,
        case .bytes(let next) = parts[0], case .list(let found) = parts[1]
      else {
        throw .outOfReach(
          tier: "redis://\(configuration.host):\(configuration.port)",
          reason: statistics.lastFailure ?? "it gave no answer")
      }
      let names = found.compactMap { if case .bytes(let name) = $0 { name } else { nil } }
      if !names.isEmpty { _ = call([[Array("DEL".utf8)] + names]) }
      cursor = String(decoding: next, as: UTF8.self)
    } while cursor != "0"
  }

  /// Whether this process is the one to fetch `key`. A server that does not answer keeps no count.
  public func fetchTurn(for key: String) -> FetchTurn {
    let name = configuration.prefix + "claim:" + PortableEntry.name(of: key)
    let token = "\(UInt64.random(in: .min ... .max))"
    let claim = ["SET", name, token, "NX", "PX", "\(configuration.claimLifetime.milliseconds)"]
    switch call([claim.map { Array($0.utf8) }])?.first {
    case .bytes:
      return .mine(FetchClaim { [weak self] in self?.release(name, token) })
    case .nothing: return .taken(lookAgainAfter: configuration.lookAgainAfter)
    default: return .free
    }
  }

  /// How the tier has answered.
  public var statistics: Statistics { state.withLock { $0.statistics } }

  /// Gives a claim back if it is still this one: after its time it may be another's.
  private func release(_ name: String, _ token: String) {
    let script = """
      if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0
      """
    releases.async {
      _ = self.call([["EVAL", script, "1", name, token].map { Array($0.utf8) }])
    }
  }

  private func entryName(_ key: String) -> String {
    configuration.prefix + "entry:" + PortableEntry.name(of: key)
  }

  /// Sends commands; `nil` when there is no answer in time, or an answer that tells of an error.
  private func call(_ commands: [[[UInt8]]]) -> [RedisReply]? {
    let now = ContinuousClock.now
    let (isPaused, idle) = state.withLock { state -> (Bool, RedisConnection?) in
      if let end = state.pausedUntil, now < end {
        state.statistics.skipped += 1
        return (true, nil)
      }
      return (false, state.idle.popLast())
    }
    guard !isPaused else { return nil }
    let deadline = now + configuration.timeout
    do throws(RedisFailure) {
      return try answers(to: commands, over: idle, by: deadline)
    } catch {
      let end = ContinuousClock.now + configuration.pauseAfterFailure
      state.withLock { state in
        state.pausedUntil = end
        state.idle.removeAll()
        state.statistics.failures += 1
        state.statistics.lastFailure = error.reason
      }
      return nil
    }
  }

  private func answers(
    to commands: [[[UInt8]]], over idle: RedisConnection?, by deadline: ContinuousClock.Instant
  ) throws(RedisFailure) -> [RedisReply] {
    guard idle != nil else { return try send(commands, over: nil, by: deadline) }
    do throws(RedisFailure) {
      return try send(commands, over: idle, by: deadline)
    } catch {
      // A connection that was kept may have been closed since: once more over a new one.
      return try send(commands, over: nil, by: deadline)
    }
  }

  private func send(
    _ commands: [[[UInt8]]], over idle: RedisConnection?, by deadline: ContinuousClock.Instant
  ) throws(RedisFailure) -> [RedisReply] {
    let connection =
      if let idle { idle } else {
        try RedisConnection(to: configuration, found: lookup, by: deadline)
      }
    let replies = try connection.send(commands, by: deadline)
    state.withLock { state in
      state.pausedUntil = nil
      if state.idle.count < Self.keptConnections { state.idle.append(connection) }
    }
    for case .error(let words) in replies { throw RedisFailure(reason: words) }
    return replies
  }

  private func count(_ change: (inout Statistics) -> Void) {
    state.withLock { change(&$0.statistics) }
  }
}

extension Duration {
  /// At least one, at most those of a century: what nobody lives to see may be any number.
  var milliseconds: Int64 {
    let century = Duration.seconds(100 * 366 * 86_400)
    let parts = min(max(self, .milliseconds(1)), century).components
    return parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
  }
}
