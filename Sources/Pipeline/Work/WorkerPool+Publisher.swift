import Dispatch
import Flow

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension WorkerPool {
  /// Runs `work` for each subscriber and delivers its result on the worker.
  ///
  /// Fails with what `work` throws. Cancel takes waiting work out of the queue and sets the flag of
  /// running work.
  public func publisher<Output: Sendable, Failure: Error>(
    priority: LoadPriority = .normal,
    _ work: @escaping @Sendable (CancellationFlag) throws(Failure) -> Output
  ) -> some Publisher<Output, Failure> {
    Create<Output, Failure> { emitter in
      self.submit(priority: priority) { flag in
        do throws(Failure) {
          emitter.send(try work(flag))
          emitter.send(completion: .finished)
        } catch {
          emitter.send(completion: .failure(error))
        }
      }
    }
  }

  /// Where pixels are made: one worker a core.
  public static let decoding = WorkerPool(
    label: "flow.decoding", width: ProcessInfo.processInfo.activeProcessorCount)

  /// Where cache files are read and written: work that waits for a disk.
  public static let files = WorkerPool(label: "flow.cache-files", width: 4)
}
