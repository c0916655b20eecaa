/// The rules of `collect` by time.
@usableFromInline
struct CollectByTimeState<Value: Sendable, Failure: Error, Time: InstantProtocol>: TimedState,
  Sendable
where Time.Duration == Duration {
  @usableFromInline typealias Input = Value
  @usableFromInline typealias Output = [Value]

  @usableFromInline let interval: Duration
  @usableFromInline let count: Int
  @usableFromInline var batch: [Value] = []
  @usableFromInline var due: Time?

  @usableFromInline
  init(_ interval: Duration, count: Int) {
    self.interval = interval
    self.count = count
  }

  @usableFromInline
  mutating func received(_ value: Value, at now: Time) -> TimedSteps<Output, Failure, Time> {
    if batch.isEmpty { due = now.advanced(by: interval) }
    batch.append(value)
    return batch.count >= count ? take() : TimedSteps(wakeAt: due)
  }

  @usableFromInline
  mutating func ended(
    _ end: Subscribers.Completion<Failure>, at now: Time
  ) -> TimedSteps<Output, Failure, Time> {
    if case .failure = end { batch = [] }
    var steps = take()
    steps.end = end
    return steps
  }

  @usableFromInline
  mutating func woke(at now: Time) -> TimedSteps<Output, Failure, Time> {
    guard let due, !batch.isEmpty else { return TimedSteps() }
    return now < due ? TimedSteps(wakeAt: due) : take()
  }

  @usableFromInline
  mutating func take() -> TimedSteps<Output, Failure, Time> {
    let full = batch
    batch = []
    return TimedSteps(values: full.isEmpty ? [] : [full])
  }
}
