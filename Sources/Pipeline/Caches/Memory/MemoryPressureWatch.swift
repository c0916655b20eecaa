import Dispatch
import Flow
import Synchronization

/// Looks at the machine's memory from time to time and trims a cache when it runs short.
///
/// It does not keep the cache alive, and stops when it is released.
public final class MemoryPressureWatch: Sendable {
  private let timer = Mutex<AnyCancellable?>(nil)

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - cache: What is trimmed.
  ///   - source: Where pressure is read; the kernel's figures unless given.
  ///   - interval: How often; every five seconds unless told otherwise.
  ///   - scheduler: On what time and where it looks.
  public init<Key: Hashable & Sendable, Value: Sendable>(
    trimming cache: MemoryCache<Key, Value>,
    source: some MemoryPressureSource = KernelMemoryPressure(),
    every interval: Duration = .seconds(5),
    on scheduler: some Scheduler = DispatchQueue.global(qos: .utility)
  ) {
    let looking = scheduler.schedule(
      after: scheduler.now.advanced(by: interval), interval: interval
    ) { [weak cache] in _ = cache?.relieve(source) }
    timer.withLock { $0 = AnyCancellable { looking.cancel() } }
  }

  deinit { timer.withLock { $0 }?.cancel() }
}
