/// What the rules of an operator that knows time ask for.
@usableFromInline
struct TimedSteps<Output: Sendable, Failure: Error, Time: InstantProtocol>: Sendable {
  /// Values to send now, in order.
  @usableFromInline var values: [Output] = []
  /// How to end, after the values.
  @usableFromInline var end: Subscribers.Completion<Failure>?
  /// When to be woken; nil when there is nothing to wait for, or the alarm set before will do.
  @usableFromInline var wakeAt: Time?

  /// Nothing to do.
  @inlinable
  init(
    values: [Output] = [], end: Subscribers.Completion<Failure>? = nil, wakeAt: Time? = nil
  ) {
    self.values = values
    self.end = end
    self.wakeAt = wakeAt
  }
}

/// The rules of an operator that knows time: pure, told the time, never asks for it.
@usableFromInline
protocol TimedState: Sendable {
  associatedtype Input: Sendable
  associatedtype Output: Sendable
  associatedtype Failure: Error
  associatedtype Time: InstantProtocol
  typealias Steps = TimedSteps<Output, Failure, Time>

  mutating func started(at now: Time) -> TimedSteps<Output, Failure, Time>
  mutating func received(_ value: Input, at now: Time) -> TimedSteps<Output, Failure, Time>
  mutating func ended(
    _ end: Subscribers.Completion<Failure>, at now: Time
  ) -> TimedSteps<Output, Failure, Time>
  mutating func woke(at now: Time) -> TimedSteps<Output, Failure, Time>
}

extension TimedState {
  @inlinable
  mutating func started(at now: Time) -> TimedSteps<Output, Failure, Time> { TimedSteps() }
}

/// How an operator that knows time asks its source.
@usableFromInline
enum TimedDemand: Sendable {
  /// For as much as is demanded.
  case passed
  /// For everything; of what nobody asked for the newest is kept.
  case newest
  /// For everything; what nobody asked for waits.
  case all
}

/// Runs a timed operator's rules, and its one alarm.
@usableFromInline
struct TimedMachine<State: TimedState>: DeliveryMachine {
  @usableFromInline typealias Value = State.Output
  @usableFromInline typealias Failure = State.Failure

  @usableFromInline var state: State
  @usableFromInline let demand: TimedDemand
  @usableFromInline var source: (any Subscription)?
  @usableFromInline var alarm: DelayedWork?
  @usableFromInline var unsent: State.Output?
  /// Sets an alarm; made by the operator, which knows the scheduler.
  @usableFromInline var makeAlarm: (@Sendable (State.Time) -> (DelayedWork, @Sendable () -> Void))?

  @inlinable
  init(_ state: State, demand: TimedDemand) {
    self.state = state
    self.demand = demand
  }

  @inlinable
  mutating func perform(
    _ steps: TimedSteps<State.Output, State.Failure, State.Time>,
    _ outbox: inout Outbox<Value, Failure>
  ) {
    for value in steps.values {
      if demand == .newest, !outbox.hasRoom { unsent = value } else { outbox.put(value) }
    }
    if let end = steps.end {
      if let unsent = unsent.take() { outbox.put(unsent) }
      return outbox.finish(end)
    }
    guard alarm == nil, let time = steps.wakeAt, let (work, set) = makeAlarm?(time) else { return }
    alarm = work
    outbox.effects.run(set)
  }

  @inlinable
  mutating func demandRose(
    by more: Subscribers.Demand, _ outbox: inout Outbox<Value, Failure>
  ) {
    if demand == .passed { outbox.effects.request(source, more) }
    if let unsent = unsent.take() { outbox.put(unsent) }
  }

  @inlinable
  mutating func stop(_ outbox: inout Outbox<Value, Failure>) {
    outbox.cancelLater(source.take())
    outbox.cancelLater(alarm.take())
    makeAlarm = nil
  }
}

/// Takes what the source of a timed operator sends.
@usableFromInline
struct TimedSubscriber<State: TimedState, Downstream: Subscriber>: Subscriber
where State.Output == Downstream.Input, State.Failure == Downstream.Failure {
  @usableFromInline typealias Input = State.Input
  @usableFromInline typealias Failure = State.Failure

  @usableFromInline let delivery: SerialDelivery<TimedMachine<State>, Downstream>
  @usableFromInline let name: StaticString
  @usableFromInline let now: @Sendable () -> State.Time

  @inlinable
  init(
    _ delivery: SerialDelivery<TimedMachine<State>, Downstream>, _ name: StaticString,
    now: @escaping @Sendable () -> State.Time
  ) {
    self.delivery = delivery
    self.name = name
    self.now = now
  }

  @inlinable
  func receive(subscription: any Subscription) {
    let time = now()
    let isOpen = delivery.update { machine, outbox in
      machine.source = subscription
      outbox.effects.request(
        subscription, machine.demand == .passed ? outbox.demand : .unlimited)
      machine.perform(machine.state.started(at: time), &outbox)
    }
    if !isOpen { subscription.cancel() }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    let time = now()
    delivery.update { machine, outbox in
      machine.perform(machine.state.received(input, at: time), &outbox)
    }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    let time = now()
    delivery.update { machine, outbox in
      machine.source = nil
      machine.perform(machine.state.ended(completion, at: time), &outbox)
    }
  }
}

extension TimedSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "\(name)" }
}

@usableFromInline
enum TimedStart {
  /// Opens the downstream, connects the alarm to `scheduler`, and subscribes to the source.
  @inlinable
  static func begin<State: TimedState, Downstream: Subscriber, Context: Scheduler>(
    _ name: StaticString, _ state: State, demand: TimedDemand, _ downstream: Downstream,
    scheduler: Context, tolerance: Duration? = nil, options: Context.SchedulerOptions?,
    subscribe: (TimedSubscriber<State, Downstream>) -> Void
  ) where State.Time == Context.SchedulerTimeType {
    let delivery = SerialDelivery(TimedMachine(state, demand: demand), downstream)
    delivery.open(name)
    let isOpen = delivery.update { machine, _ in
      machine.makeAlarm = { [weak delivery] time in
        let work = DelayedWork { [weak delivery] in
          // A scheduler whose clock stands still is as good as on time.
          let now = Swift.max(scheduler.now, time)
          delivery?.update { machine, outbox in
            machine.alarm = nil
            machine.perform(machine.state.woke(at: now), &outbox)
          }
        }
        return (
          work,
          {
            if time <= scheduler.now {
              scheduler.schedule(options: options) { work.run() }
            } else {
              scheduler.schedule(
                after: time, tolerance: tolerance ?? scheduler.minimumTolerance, options: options
              ) { work.run() }
            }
          }
        )
      }
    }
    if isOpen { subscribe(TimedSubscriber(delivery, name) { scheduler.now }) }
  }
}
