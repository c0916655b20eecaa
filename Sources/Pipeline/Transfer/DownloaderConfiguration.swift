/// How a `Downloader` works, for all its transfers. What one load asks for is `TransferOptions`.
public struct DownloaderConfiguration: Sendable {
  /// Transfers that run at once; 6 unless told otherwise, at least 1. The others wait in a queue.
  public var maximumConcurrentTransfers = 6
  /// Transfers that run at once from one host and port; `nil` sets no limit of its own.
  public var maximumTransfersPerHost: Int?
  /// Slots that priorities below `.normal` leave free for others, so that a user's load never waits
  /// for prefetches; 1 unless told otherwise. One slot is always open to them.
  public var slotsKeptFromLowPriorities = 1
  /// Which of two equally urgent transfers goes first.
  public var order = TransferOrder.oldestFirst
  /// Sent with every request; a field of the same name in a request's options wins.
  public var headers: [HeaderField] = []
  /// The `Accept` field: the formats that decoders are registered for.
  public var accept = "image/webp,image/apng,image/*;q=0.8,*/*;q=0.5"
  /// The `User-Agent` field.
  public var userAgent = "Flow/1"
  /// Bytes of one response's header fields after which a transfer fails; 64 KiB.
  public var maximumHeaderSize = 64 << 10
  /// Redirects that are followed; one more fails.
  public var maximumRedirects = 10

  /// The defaults.
  public init() {}
}

/// Which of two equally urgent transfers goes first.
public enum TransferOrder: Sendable, Hashable {
  /// In order of arrival.
  case oldestFirst
  /// The latest asked for: what a scrolling user sees now.
  case newestFirst
}
