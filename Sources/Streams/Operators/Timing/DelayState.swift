/// The rules of `delay`: everything waits in line with its time.
@usableFromInline
struct DelayState<Value: Sendable, Failure: Error, Time: InstantProtocol>: TimedState, Sendable
where Time.Duration == Duration {
  @usableFromInline typealias Input = Value
  @usableFromInline typealias Output = Value

  @usableFromInline let interval: Duration
  @usableFromInline var line = Queue<(value: Value, due: Time)>()
  @usableFromInline var end: (completion: Subscribers.Completion<Failure>, due: Time)?

  @usableFromInline
  init(_ interval: Duration) { self.interval = interval }

  @usableFromInline
  mutating func received(_ value: Value, at now: Time) -> TimedSteps<Output, Failure, Time> {
    let due = now.advanced(by: interval)
    line.append((value, due))
    return TimedSteps(wakeAt: due)
  }

  @usableFromInline
  mutating func ended(
    _ end: Subscribers.Completion<Failure>, at now: Time
  ) -> TimedSteps<Output, Failure, Time> {
    let due = now.advanced(by: interval)
    self.end = (end, due)
    return TimedSteps(wakeAt: due)
  }

  @usableFromInline
  mutating func woke(at now: Time) -> TimedSteps<Output, Failure, Time> {
    var steps = TimedSteps<Output, Failure, Time>()
    while let next = line.peek, next.due <= now {
      steps.values.append(next.value)
      _ = line.popFirst()
    }
    if let next = line.peek {
      steps.wakeAt = next.due
    } else if let end {
      if end.due <= now { steps.end = end.completion } else { steps.wakeAt = end.due }
    }
    return steps
  }
}
