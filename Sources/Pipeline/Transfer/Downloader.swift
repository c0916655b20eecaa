import Dispatch
import Flow

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Fetches images over HTTP with libcurl, and from files, `data:` URLs and bytes at hand.
///
/// One thread drives all its transfers; it is started by the first and ends with the downloader.
/// Connections are kept and shared. Any number of loads may be asked for: those beyond the limit
/// wait, at the cost of memory only, the most urgent first. Time in the queue is not counted.
///
/// Events of HTTP transfers arrive on that thread: work in them holds up all transfers, so move
/// what takes long elsewhere by `receive(on:)`.
public final class Downloader: ImageDownloader {
  private let loop: TransferLoop
  /// Where files are read: a thread that may wait for a disk.
  private let fileQueue = DispatchQueue(label: "flow.files")

  /// Makes a downloader; nothing is started yet.
  public init(configuration: DownloaderConfiguration = DownloaderConfiguration()) {
    loop = TransferLoop(configuration: configuration)
  }

  deinit { loop.post(.shutDown, startsThread: false) }

  /// The transfer of `request`: one for each subscriber, begun when values are asked for.
  ///
  /// Values: `.progress`, first (0, unknown) when it leaves the queue, then (0, expected) at the
  /// response, then as bytes come; `.bytes`, growing and at last complete. A slow subscriber skips
  /// what is outdated, never the last. Fails with `DownloadError`. Delivers on the downloader's
  /// thread. Cancelling closes the connection or takes it out of the queue.
  public func transfer(for request: ImageRequest) -> AnyPublisher<TransferEvent, DownloadError> {
    TransferPublisher { [self] sink in start(request, sink) }.eraseToAnyPublisher()
  }

  /// Lets no more transfers start; those that run go on.
  public func suspend() { loop.post(.setSuspended(true)) }

  /// Lets transfers start again after `suspend()`.
  public func resume() { loop.post(.setSuspended(false)) }

  /// Ends all transfers, running and waiting, with `DownloadError.cancelled`.
  public func cancelAll() { loop.post(.cancelAll, startsThread: false) }

  private func start(_ request: ImageRequest, _ sink: any TransferSink) -> (@Sendable () -> Void)? {
    let limit = request.transfer.maximumBodySize
    switch request.source {
    case .bytes(let bytes, _):
      sink.receive(local: bytes.isEmpty ? .failure(.emptyBody) : .success(bytes))
    case .url(let url):
      switch url.scheme?.lowercased() {
      case "http", "https": return startHTTP(url, request, sink)
      case "data":
        sink.receive(
          local: Result { () throws(DownloadError) in
            try DataURL.bytes(of: url.absoluteString, limit: limit)
          })
      case "file":
        fileQueue.async {
          sink.receive(
            local: Result { () throws(DownloadError) in
              try LocalFile.bytes(at: url.path(percentEncoded: false), limit: limit)
            })
        }
      case let scheme?: sink.receive(end: .unsupportedScheme(scheme))
      case nil: sink.receive(end: .invalidURL(reason: "it has no scheme"))
      }
    }
    return nil
  }

  private func startHTTP(
    _ url: URL, _ request: ImageRequest, _ sink: any TransferSink
  ) -> (@Sendable () -> Void)? {
    guard url.host()?.isEmpty == false else {
      sink.receive(end: .invalidURL(reason: "it names no host"))
      return nil
    }
    let id = loop.makeID()
    let job = TransferJob(
      id: id, address: url, priority: request.priority, options: request.transfer, sink: sink)
    guard loop.post(.start(job)) else {
      sink.receive(end: .shutDown)
      return nil
    }
    return { [self] in loop.post(.cancel(id)) }
  }
}

extension TransferSink {
  /// Bytes that were at hand at once, or why they were not.
  func receive(local result: Result<ImageBytes, DownloadError>) {
    switch result {
    case .success(let bytes):
      receive(.progress(LoadProgress(received: bytes.count, expected: bytes.count)))
      receive(.bytes(EncodedImage(bytes: bytes, origin: .local)))
      receive(end: nil)
    case .failure(let failure): receive(end: failure)
    }
  }
}
