import Flow

/// One list being prefetched. It goes on when this is released; `cancel()` stops it.
public final class PrefetchRun: Cancellable {
  let number: Int
  let counts = CurrentValueSubject<PrefetchCounts, Never>(PrefetchCounts())
  private let stop: @Sendable (Int) -> Void

  init(number: Int, stop: @escaping @Sendable (Int) -> Void) {
    self.number = number
    self.stop = stop
  }

  /// How far it has come, now and whenever a source is done; finishes with the run.
  ///
  /// A slow subscriber skips what is outdated, never the last. Delivers where a load ends. Cancel
  /// does not stop the run.
  public var progress: AnyPublisher<PrefetchCounts, Never> { counts.eraseToAnyPublisher() }

  /// The counts so far.
  public var now: PrefetchCounts { counts.value }

  /// The counts at the end: when all is done, or the run was stopped, or the task is cancelled,
  /// which does not stop the run.
  public var value: PrefetchCounts {
    get async {
      for await _ in progress.values {}
      return now
    }
  }

  /// Stops the run: takes no more sources and cancels its loads, unless others want them, too.
  public func cancel() { stop(number) }
}
