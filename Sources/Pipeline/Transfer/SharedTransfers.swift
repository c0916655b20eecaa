import Flow

/// The running transfers of a downloader by `TransferKey`: where equal loads meet.
///
/// Only loads that send the same to the same place share. On a server, a picture that one user may
/// see and another may not is fetched for each of them: header fields, login and cookies are part
/// of the key, and no answer to one set of them is ever given to another.
public final class SharedTransfers: Sendable {
  private let work = SharedWork<TransferKey, TransferEvent, DownloadError> { $0.kind }

  /// Makes a place without transfers.
  public init() {}

  /// The keys of the transfers that are under way, in no order.
  public var keys: [TransferKey] { work.keys.running }

  /// The transfer of `request`, shared with all who are at it.
  ///
  /// The first subscriber begins it, the last to cancel ends it. Who joins late gets the latest
  /// progress and the bytes so far. It waits in the queue with the highest priority of all who
  /// share it, which changes as they come, go and change theirs. Subscribe once.
  func transfer(
    of request: ImageRequest, by downloader: any ImageDownloader
  ) -> some Publisher<TransferEvent, DownloadError> {
    work.publisher(for: RequestKeys(request).transfer, urgency: request.urgency) {
      downloader.transfer(for: request, priorities: $0)
    }
  }
}

extension TransferEvent {
  /// Events of one kind outdate each other.
  fileprivate var kind: Int {
    switch self {
    case .progress: 0
    case .bytes: 1
    case .notModified: 2
    }
  }
}
