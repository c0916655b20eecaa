/// The rules of `throttle`: after a value the way is shut for an interval.
@usableFromInline
struct ThrottleState<Value: Sendable, Failure: Error, Time: InstantProtocol>: TimedState, Sendable
where Time.Duration == Duration {
  @usableFromInline typealias Input = Value
  @usableFromInline typealias Output = Value

  @usableFromInline let interval: Duration
  @usableFromInline let latest: Bool
  @usableFromInline var waiting: Value?
  @usableFromInline var shutUntil: Time?

  @usableFromInline
  init(_ interval: Duration, latest: Bool) {
    self.interval = interval
    self.latest = latest
  }

  @usableFromInline
  mutating func received(_ value: Value, at now: Time) -> TimedSteps<Output, Failure, Time> {
    if latest || waiting == nil { waiting = value }
    return TimedSteps(wakeAt: Swift.max(now, shutUntil ?? now))
  }

  @usableFromInline
  mutating func ended(
    _ end: Subscribers.Completion<Failure>, at now: Time
  ) -> TimedSteps<Output, Failure, Time> {
    if case .failure = end { waiting = nil }
    return TimedSteps(values: waiting.take().map { [$0] } ?? [], end: end)
  }

  @usableFromInline
  mutating func woke(at now: Time) -> TimedSteps<Output, Failure, Time> {
    guard let value = waiting.take() else { return TimedSteps() }
    shutUntil = now.advanced(by: interval)
    return TimedSteps(values: [value])
  }
}
