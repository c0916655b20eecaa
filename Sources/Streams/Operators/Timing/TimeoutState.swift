/// The rules of `timeout`: one alarm, moved on as values come.
@usableFromInline
struct TimeoutState<Value: Sendable, Failure: Error, Time: InstantProtocol>: TimedState, Sendable
where Time.Duration == Duration {
  @usableFromInline typealias Input = Value
  @usableFromInline typealias Output = Value

  @usableFromInline let interval: Duration
  @usableFromInline let error: (@Sendable () -> Failure)?
  @usableFromInline var deadline: Time?

  @usableFromInline
  init(_ interval: Duration, error: (@Sendable () -> Failure)?) {
    self.interval = interval
    self.error = error
  }

  @usableFromInline
  mutating func started(at now: Time) -> TimedSteps<Output, Failure, Time> {
    deadline = now.advanced(by: interval)
    return TimedSteps(wakeAt: deadline)
  }

  @usableFromInline
  mutating func received(_ value: Value, at now: Time) -> TimedSteps<Output, Failure, Time> {
    deadline = now.advanced(by: interval)
    return TimedSteps(values: [value])
  }

  @usableFromInline
  mutating func ended(
    _ end: Subscribers.Completion<Failure>, at now: Time
  ) -> TimedSteps<Output, Failure, Time> {
    TimedSteps(end: end)
  }

  @usableFromInline
  mutating func woke(at now: Time) -> TimedSteps<Output, Failure, Time> {
    if let deadline, now < deadline { return TimedSteps(wakeAt: deadline) }
    return TimedSteps(end: error.map { .failure($0()) } ?? .finished)
  }
}
