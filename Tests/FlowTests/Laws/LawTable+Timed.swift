import Flow
import FlowTesting

extension LawTable {
  /// Operators that need a scheduler.
  static let timed: [LawCase] = [
    LawCase("receive(on:options:)", types: ["Publishers.ReceiveOn"], is: .exact) {
      $0.first.receive(on: $0.scheduler)
    },
    LawCase("subscribe(on:options:)", types: ["Publishers.SubscribeOn"], is: .exact) {
      $0.first.subscribe(on: $0.scheduler)
    },
    LawCase("measureInterval(using:)", is: .exact) {
      $0.first.measureInterval(using: $0.scheduler).map { Int($0 / .ticks(1)) }
    },
    LawCase("retry(_:scheduler:)", is: [.exact, .resubscribes]) {
      $0.first.retry(
        RetryPolicy(attempts: 2, backoff: .constant(.ticks(3))), scheduler: $0.scheduler)
    },
    LawCase("delay(for:tolerance:scheduler:options:)", is: .exact) {
      $0.first.delay(for: .ticks(3), scheduler: $0.scheduler)
    },
    LawCase("debounce(for:scheduler:options:)") {
      $0.first.debounce(for: .ticks(3), scheduler: $0.scheduler)
    },
    LawCase("throttle(for:scheduler:latest:)") {
      $0.first.throttle(for: .ticks(3), scheduler: $0.scheduler, latest: true)
    },
    LawCase("timeout(_:scheduler:options:customError:)", is: .exact) {
      $0.first.timeout(.seconds(3600), scheduler: $0.scheduler)
    },
    LawCase("timeout(_:scheduler:options:customError:)", "that fires", is: [.silent]) {
      $0.first.timeout(.ticks(3), scheduler: $0.scheduler)
    },
    LawCase("timeout(_:scheduler:options:customError:)", "that fires later") {
      $0.first.prefix(2).append(NeverEnding()).timeout(
        .ticks(70), scheduler: $0.scheduler, customError: { .large })
    },
    LawCase("collect(_:options:)", types: ["Publishers.CollectByTime"]) {
      $0.first.collect(.byTime($0.scheduler, .ticks(3))).map(\.count)
    },
  ]
}
