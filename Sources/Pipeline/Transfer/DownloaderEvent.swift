#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A step in the life of one transfer over HTTP, for those who watch a downloader.
///
/// In order: `.started`, `.responded` if there was an answer, `.stopped` exactly once, and
/// `.finished` after it if all went well. A transfer that never left the queue has none.
public struct DownloaderEvent: Sendable, Hashable {
  /// What happened.
  public enum Step: Sendable, Hashable {
    /// It left the queue.
    case started
    /// The last response, whatever its status; redirects before it are not told.
    case responded(ImageResponse)
    /// It is over: complete, failed or cancelled.
    case stopped
    /// It was complete.
    case finished
  }

  /// Names the transfer among those of its downloader; each retry is a transfer of its own.
  public let id: UInt64
  /// What was asked for.
  public let url: URL
  /// What happened.
  public let step: Step
}

/// How many transfers a downloader has.
public struct DownloaderCounts: Sendable, Hashable {
  /// Those on the wire.
  public var running = 0
  /// Those in the queue.
  public var waiting = 0
  /// Both.
  public var total: Int { running + waiting }
}
