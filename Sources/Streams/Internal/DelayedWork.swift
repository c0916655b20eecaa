import Synchronization

/// Work that is to run later, unless it is cancelled: then what it holds goes at once, although the
/// scheduler still holds the hull.
@usableFromInline
final class DelayedWork: Subscription {
  private struct Work: Sendable {
    let run: @Sendable () -> Void
  }

  private let work: Mutex<Work?>

  @usableFromInline
  init(_ run: @escaping @Sendable () -> Void) { work = Mutex(Work(run: run)) }

  @usableFromInline
  func run() { work.withLock { $0.take() }?.run() }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {}

  @usableFromInline
  func cancel() {
    let dropped = work.withLock { $0.take() }
    _ = dropped
  }
}
