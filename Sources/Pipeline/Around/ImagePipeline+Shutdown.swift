import Dispatch
import Flow
import Synchronization

extension ImagePipeline {
  /// Takes no more loads, lets those that run end for at most `limit`, ends the others, and returns
  /// when the caches have written what was loaded.
  ///
  /// Loads that are refused or ended fail with `DownloadError.shutDown`. The downloader, which
  /// others may use, goes on. Calling it again waits in the same way. Cancelling the task does not
  /// shorten the wait.
  public func shutDown(within limit: Duration = .zero) async {
    ledger.close()
    if limit > .zero { await loadsEnd(within: limit) }
    ledger.endAll()
    await WorkerPool.files.finishSubmitted()
  }

  /// Returns when no load runs, or after `limit`.
  private func loadsEnd(within limit: Duration) async {
    await withCheckedContinuation { continuation in
      let wait = Wait(continuation)
      ledger.whenIdle { wait.end() }
      DispatchQueue.global().asyncAfter(deadline: .now() + limit.seconds) { wait.end() }
    }
  }
}

/// A task that waits for the first of several things to happen.
private final class Wait: Sendable {
  private let continuation: Mutex<CheckedContinuation<Void, Never>?>

  init(_ continuation: CheckedContinuation<Void, Never>) {
    self.continuation = Mutex(continuation)
  }

  func end() { continuation.withLock { $0.take() }?.resume() }
}
