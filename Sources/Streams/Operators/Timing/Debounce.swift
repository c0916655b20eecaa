extension Publisher {
  /// Sends a value once no other has followed it for a while.
  ///
  /// Everything is asked for; of what nobody asked for the newest is kept. When the source
  /// finishes, a value that still waits is sent at once; when it fails, at once the failure.
  /// Delivers on `scheduler`. Cancel drops what waits.
  ///
  /// - Parameters:
  ///   - dueTime: How long it has to be quiet.
  ///   - scheduler: Whose time counts, and where values are delivered.
  ///   - options: How work is scheduled.
  ///
  /// ```swift
  /// searchText.debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
  /// ```
  @inlinable @inline(__always)
  public func debounce<S: Scheduler>(
    for dueTime: Duration, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(
      upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// What `debounce` returns.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// How long it has to be quiet.
    public let dueTime: Duration
    /// Whose time counts, and where values are delivered.
    public let scheduler: Context
    /// How work is scheduled.
    public let options: Context.SchedulerOptions?

    @inlinable @inline(__always)
    init(
      upstream: Upstream, dueTime: Duration, scheduler: Context, options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      TimedStart.begin(
        "Debounce", DebounceState<Output, Failure, Context.SchedulerTimeType>(dueTime),
        demand: .newest,
        subscriber, scheduler: scheduler, options: options
      ) {
        upstream.receive(subscriber: $0)
      }
    }
  }
}
