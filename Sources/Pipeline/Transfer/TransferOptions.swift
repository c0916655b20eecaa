/// What the download stage is asked for.
public struct TransferOptions: Sendable, Hashable {
  /// Header fields that are sent besides the downloader's own; a field given here wins.
  public var headers: [HeaderField] = []
  /// Time without a byte after which a transfer fails; 15 s, also when zero is given.
  public var idleTimeout: Duration = .seconds(15)
  /// Time for the connection to stand; 15 s unless told otherwise.
  public var connectTimeout: Duration = .seconds(15)
  /// Time for the whole transfer, waiting in the queue not counted; `nil` sets no limit.
  public var deadline: Duration?
  /// Bytes of body after which a transfer fails; 64 MiB unless told otherwise.
  public var maximumBodySize = 64 << 20

  /// The defaults.
  public init() {}
}

extension TransferOptions {
  /// The idle limit that holds: zero means the default, not "at once" and not "never".
  var effectiveIdleTimeout: Duration { idleTimeout > .zero ? idleTimeout : .seconds(15) }
}
