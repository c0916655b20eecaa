import Synchronization

/// A flag that long work looks at between rows, set from any thread.
public final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  /// Makes a flag that is not set.
  public init() {}

  /// Whether `cancel()` was called.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Asks the work to stop; it does so at its next look.
  public func cancel() { flag.store(true, ordering: .relaxed) }
}
