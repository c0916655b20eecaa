import Flow
import FlowTesting

extension MarbleTable {
  /// Operators with one subscription for many subscribers. Who does not ask misses the value.
  static let sharing: [MarbleCase] = [
    sharing("share(replay:)") { $0.first.share().eraseToAnyPublisher() },
    sharing("shared(by:in:)") {
      $0.first.shared(by: 1, in: SharedPublishers<Int, String, MarbleFailure>())
        .eraseToAnyPublisher()
    },
    sharing("autoconnect()") {
      $0.first.makeConnectable().autoconnect().eraseToAnyPublisher()
    },
    sharing("makeConnectable()") { inputs in
      let connectable = inputs.first.makeConnectable()
      return connectable.handleEvents(receiveSubscription: { _ in
        let connection = AnyCancellable(connectable.connect())
        inputs.scheduler.schedule(after: VirtualTime(offset: .ticks(1000))) { connection.cancel() }
      }).eraseToAnyPublisher()
    },
    sharing("multicast(subject:)") {
      $0.first.multicast(subject: PassthroughSubject()).autoconnect().eraseToAnyPublisher()
    },
    sharing("multicast(_:)") {
      $0.first.multicast { PassthroughSubject() }.autoconnect().eraseToAnyPublisher()
    },
    MarbleCase(
      "share(replay:)", variant: "of two", "ab-c|", gives: "ab-c|", failing: "a#", gives: "a#",
      cancelledAt: 1, gives: "ab", asking: 1, gives: "a"
    ) { $0.first.share(replay: 2) },
  ]

  private static func sharing(
    _ name: String, build: @escaping @Sendable (MarbleInputs) -> AnyPublisher<String, MarbleFailure>
  ) -> MarbleCase {
    MarbleCase(
      name, "-ab|", gives: "-ab|", failing: "-a#", gives: "-a#", cancelledAt: 1, gives: "-a",
      asking: 1, gives: "-a-|", build: build)
  }

  /// Operators that need a scheduler.
  static let timed: [MarbleCase] = [
    MarbleCase(
      "receive(on:options:)", "ab|", gives: "ab|", failing: "a#", gives: "a#",
      cancelledAt: 1, gives: "a", asking: 1, gives: "a"
    ) { $0.first.receive(on: $0.scheduler) },
    MarbleCase(
      "subscribe(on:options:)", "ab|", gives: "ab|", failing: "a#", gives: "a#",
      cancelledAt: 1, gives: "a", asking: 1, gives: "a"
    ) { $0.first.subscribe(on: $0.scheduler) },
    MarbleCase(
      "measureInterval(using:)", "a--b|", gives: "0--3|", failing: "a#", gives: "0#",
      cancelledAt: 1, gives: "0", asking: 1, gives: "0"
    ) { $0.first.measureInterval(using: $0.scheduler).map { "\(Int($0 / .ticks(1)))" } },
    MarbleCase(
      "debounce(for:scheduler:options:)", "ab---c|", gives: "---b--(c|)",
      failing: "ab#", gives: "--#", cancelledAt: 2, gives: "", asking: 1, gives: "---b"
    ) { $0.first.debounce(for: .ticks(2), scheduler: $0.scheduler) },
    MarbleCase(
      "throttle(for:scheduler:latest:)", "abcd----e--|", gives: "a--d----e--|",
      failing: "ab#", gives: "a-#", cancelledAt: 2, gives: "a", asking: 1, gives: "a"
    ) { $0.first.throttle(for: .ticks(3), scheduler: $0.scheduler, latest: true) },
    MarbleCase(
      "throttle(for:scheduler:latest:)", variant: "of the first", "abcd----e--|",
      gives: "a--b----e--|",
      failing: "ab#", gives: "a-#", cancelledAt: 2, gives: "a", asking: 1, gives: "a"
    ) { $0.first.throttle(for: .ticks(3), scheduler: $0.scheduler, latest: false) },
    MarbleCase(
      "delay(for:tolerance:scheduler:options:)", "ab-c|", gives: "--ab-c|", failing: "a#",
      gives: "--a#",
      cancelledAt: 3, gives: "--a", asking: 1, gives: "--a"
    ) { $0.first.delay(for: .ticks(2), scheduler: $0.scheduler) },
    MarbleCase(
      "timeout(_:scheduler:options:customError:)", "a-b-----c|", gives: "a-b--|",
      failing: "a#", gives: "a#", cancelledAt: 1, gives: "a", asking: 1, gives: "a--|"
    ) { $0.first.timeout(.ticks(3), scheduler: $0.scheduler) },
    MarbleCase(
      "timeout(_:scheduler:options:customError:)", variant: "with an error", "a-b|", gives: "a-b|",
      failing: "a-----b|", gives: "a--#", cancelledAt: 1, gives: "a", asking: 1, gives: "a--#"
    ) { $0.first.timeout(.ticks(3), scheduler: $0.scheduler) { MarbleFailure() } },
    MarbleCase(
      "collect(_:options:)", "ab--c-|", gives: "--x---(c|)", failing: "ab#", gives: "--#",
      cancelledAt: 3, gives: "--x", asking: 1, gives: "--x", letters: ["x": "ab"]
    ) { $0.first.collect(.byTime($0.scheduler, .ticks(2))).map { $0.joined() } },
    MarbleCase(
      "collect(_:options:)", variant: "or count", "abc---|", gives: "-x--c-|", failing: "abc#",
      gives: "-x-#",
      cancelledAt: 2, gives: "-x", asking: 1, gives: "-x", letters: ["x": "ab"]
    ) { $0.first.collect(.byTimeOrCount($0.scheduler, .ticks(2), 2)).map { $0.joined() } },
  ]
}
