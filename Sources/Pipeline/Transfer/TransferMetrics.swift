/// How a transfer went. Times count from its start, waiting in the queue left out, and cover the
/// last attempt.
public struct TransferMetrics: Sendable, Hashable {
  /// Body bytes as they came over the wire, before decompression.
  public var wireByteCount = 0
  /// Body bytes taken from an earlier, broken transfer.
  public var resumedByteCount = 0
  /// When the host's address was known.
  public var nameLookup = Duration.zero
  /// When the connection stood, TLS included; about zero when an open one was used again.
  public var connected = Duration.zero
  /// When the first byte of the response came.
  public var firstByte = Duration.zero
  /// When the last byte came.
  public var lastByte = Duration.zero
  /// Whether an open connection was used again.
  public var reusedConnection = false
  /// Attempts that failed before.
  public var retryCount = 0

  /// Nothing measured.
  public init() {}
}
