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
  /// The running transfers.
  public let sharedTransfers: SharedTransfers? = SharedTransfers()
  let loop: TransferLoop
  let retryDelay: RetryingTransfer.Delay
  /// Where files are read: a thread that may wait for a disk.
  let fileQueue = DispatchQueue(label: "flow.files")

  /// Makes a downloader whose retries wait on a queue of Dispatch's; nothing is started yet.
  public convenience init(configuration: DownloaderConfiguration = DownloaderConfiguration()) {
    self.init(configuration: configuration, retryScheduler: DispatchQueue.global())
  }

  /// Makes a downloader whose retries wait on `retryScheduler`; nothing is started yet.
  public init(configuration: DownloaderConfiguration, retryScheduler: some Scheduler) {
    loop = TransferLoop(configuration: configuration)
    retryDelay = { time, action in
      retryScheduler.schedule(after: retryScheduler.now.advanced(by: time), action)
    }
  }

  deinit { loop.post(.shutDown(.now, whenDone: {}), startsThread: false) }

  /// The transfer of `request`: one for each subscriber, begun when values are asked for.
  ///
  /// Values: `.progress`, first (0, unknown) when it leaves the queue, then (0, expected) at the
  /// response, then as bytes come; `.bytes`, growing and at last complete. A slow subscriber skips
  /// what is outdated, never the last. Fails with `DownloadError`. Delivers on the downloader's
  /// thread. Cancelling closes the connection or takes it out of the queue.
  public func transfer(for request: ImageRequest) -> AnyPublisher<TransferEvent, DownloadError> {
    transfer(for: request, priorities: Empty().eraseToAnyPublisher())
  }

  /// The same, with its urgency following `priorities` while it waits in the queue.
  public func transfer(
    for request: ImageRequest, priorities: AnyPublisher<LoadPriority, Never>
  ) -> AnyPublisher<TransferEvent, DownloadError> {
    if case .url(let url) = request.source, let scheme = url.scheme?.lowercased(),
      let other = loop.configuration.schemes[scheme]
    {
      return other.transfer(for: request, priorities: priorities)
    }
    return TransferPublisher { [self] sink in start(request, priorities, sink) }
      .eraseToAnyPublisher()
  }

  /// How it works. What is changed holds for transfers that start later.
  public var configuration: DownloaderConfiguration {
    get { loop.configuration }
    set { loop.configure(newValue) }
  }

  /// What happens to transfers over HTTP, on the downloader's thread.
  public var events: AnyPublisher<DownloaderEvent, Never> { loop.events.eraseToAnyPublisher() }

  /// How many transfers over HTTP run and wait.
  public var counts: DownloaderCounts { loop.counts }

  /// Lets no more transfers start; those that run go on.
  public func suspend() { loop.post(.setSuspended(true)) }

  /// Lets transfers start again after `suspend()`.
  public func resume() { loop.post(.setSuspended(false)) }

  /// Ends all transfers, running and waiting, with `DownloadError.cancelled`.
  public func cancelAll() { loop.post(.cancelAll, startsThread: false) }

  /// Takes no more transfers, lets those there are end for at most `grace`, ends the others with
  /// `DownloadError.shutDown`, and returns when the thread has nothing left to do.
  public func shutDown(grace: Duration = .zero) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let command = TransferLoop.Command.shutDown(.now + grace) { continuation.resume() }
      if !loop.post(command) { continuation.resume() }
    }
  }
}
