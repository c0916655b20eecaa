extension Publishers {
  /// How `collect` groups values.
  public enum TimeGroupingStrategy<Context: Scheduler>: Sendable {
    /// What comes within a time.
    case byTime(Context, Duration)
    /// What comes within a time, but no more than so many values.
    case byTimeOrCount(Context, Duration, Int)

    @usableFromInline var scheduler: Context {
      switch self {
      case .byTime(let scheduler, _), .byTimeOrCount(let scheduler, _, _): scheduler
      }
    }

    @usableFromInline var interval: Duration {
      switch self {
      case .byTime(_, let interval), .byTimeOrCount(_, let interval, _): interval
      }
    }

    @usableFromInline var count: Int {
      switch self {
      case .byTime: .max
      case .byTimeOrCount(_, _, let count): Swift.max(1, count)
      }
    }
  }
}
