import Pipeline

/// Where a Redis server is, and how its tier behaves.
public struct RedisConfiguration: Sendable {
  /// Its address; a name is looked up at each connection, which counts towards `timeout`.
  public var host = "127.0.0.1"
  /// Its port.
  public var port = 6379
  /// Sent after connecting, if there is one.
  public var password: String?
  /// Which of the server's databases.
  public var database = 0
  /// What all keys begin with: several caches can share a server.
  public var prefix = "flow:"
  /// Time for one call, connecting included; what takes longer is a miss. 200 ms unless told
  /// otherwise.
  public var timeout: Duration = .milliseconds(200)
  /// Time in which a server that failed is not asked again; 1 s unless told otherwise.
  public var pauseAfterFailure: Duration = .seconds(1)
  /// Time after storing from which an entry is gone; seven days unless told otherwise. What goes
  /// when the server is full is for its `maxmemory-policy` to say.
  public var lifetime: Duration = .seconds(7 * 24 * 3600)
  /// Larger entries are not stored; 16 MiB unless told otherwise.
  public var maximumEntrySize = 16 << 20
  /// Time after which another process fetches too what one has claimed and not stored; 10 s unless
  /// told otherwise.
  public var claimLifetime: Duration = .seconds(10)
  /// Time after which a process looks again for what another one fetches; 50 ms unless told
  /// otherwise.
  public var lookAgainAfter: Duration = .milliseconds(50)
  /// Seals entries; `nil` sends them as they are.
  public var cipher: (any EntryCipher)?

  /// The defaults.
  public init() {}
}
