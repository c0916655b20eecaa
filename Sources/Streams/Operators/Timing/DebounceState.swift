/// The rules of `debounce`: one alarm, moved on as values follow each other.
@usableFromInline
struct DebounceState<Value: Sendable, Failure: Error, Time: InstantProtocol>: TimedState, Sendable
where Time.Duration == Duration {
  @usableFromInline typealias Input = Value
  @usableFromInline typealias Output = Value

  @usableFromInline let dueTime: Duration
  @usableFromInline var waiting: (value: Value, due: Time)?
  @usableFromInline var end: Subscribers.Completion<Failure>?

  @usableFromInline
  init(_ dueTime: Duration) { self.dueTime = dueTime }

  @usableFromInline
  mutating func received(_ value: Value, at now: Time) -> TimedSteps<Output, Failure, Time> {
    let due = now.advanced(by: dueTime)
    waiting = (value, due)
    return TimedSteps(wakeAt: due)
  }

  @usableFromInline
  mutating func ended(
    _ end: Subscribers.Completion<Failure>, at now: Time
  ) -> TimedSteps<Output, Failure, Time> {
    if case .failure = end { waiting = nil }
    let values = waiting.map { [$0.value] } ?? []
    waiting = nil
    return TimedSteps(values: values, end: end)
  }

  @usableFromInline
  mutating func woke(at now: Time) -> TimedSteps<Output, Failure, Time> {
    guard let (value, due) = waiting else { return TimedSteps() }
    if now < due { return TimedSteps(wakeAt: due) }
    waiting = nil
    return TimedSteps(values: [value])
  }
}
