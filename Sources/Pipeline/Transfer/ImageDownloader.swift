import Flow

/// Fetches the bytes of requests: the worker behind the download stage.
public protocol ImageDownloader: Sendable {
  /// The running transfers: where the download stage lets equal loads meet.
  ///
  /// Keep one for the downloader's life. `nil`, unless implemented: each load has its own transfer.
  var sharedTransfers: SharedTransfers? { get }

  /// The transfer of `request`: one for each subscriber, begun when values are asked for.
  ///
  /// Values: `.progress` in rising order, `.bytes` growing; the last `.bytes` is complete, then the
  /// publisher finishes. A slow subscriber skips what is outdated, never the last. Cancelling the
  /// subscription closes or frees the connection.
  func transfer(for request: ImageRequest) -> AnyPublisher<TransferEvent, DownloadError>

  /// The same, with its urgency following `priorities` while it waits in a queue.
  ///
  /// A shared transfer is as urgent as the most urgent of those who wait for it, and they come and
  /// go. Unless implemented, `priorities` is ignored.
  func transfer(
    for request: ImageRequest, priorities: AnyPublisher<LoadPriority, Never>
  ) -> AnyPublisher<TransferEvent, DownloadError>
}

extension ImageDownloader {
  /// Nobody shares.
  public var sharedTransfers: SharedTransfers? { nil }

  /// The transfer of `request`, as urgent as the request says.
  public func transfer(
    for request: ImageRequest, priorities: AnyPublisher<LoadPriority, Never>
  ) -> AnyPublisher<TransferEvent, DownloadError> {
    transfer(for: request)
  }
}
