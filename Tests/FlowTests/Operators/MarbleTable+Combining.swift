import Flow
import FlowTesting

extension MarbleTable {
  /// Operators that go on after an end.
  static let recovering: [MarbleCase] = [
    MarbleCase(
      "append(_:)", variant: "elements", "ab|", gives: "ab(xy|)", failing: "a#", gives: "a#",
      cancelledAt: 1, gives: "ab", asking: 3, gives: "abx"
    ) { $0.first.append("x", "y") },
    MarbleCase(
      "append(_:)", variant: "a publisher", ["a|", "xy|"], gives: "axy|", failing: ["a|", "x#"],
      gives: "ax#",
      cancelledAt: 1, gives: "a", asking: 2, gives: "ax"
    ) { $0.first.append($0.second) },
    MarbleCase(
      "prepend(_:)", variant: "elements", "a----b|", gives: "(xya)b|", failing: "a----#",
      gives: "(xya)#",
      cancelledAt: 1, gives: "(xya)", asking: 1, gives: "x"
    ) { $0.first.prepend("x", "y") },
    MarbleCase(
      "prepend(_:)", variant: "a publisher", ["ab|", "x|"], gives: "xab|", failing: ["ab|", "x#"],
      gives: "x#",
      cancelledAt: 1, gives: "x", asking: 2, gives: "xa"
    ) { $0.first.prepend($0.second) },
    MarbleCase(
      "catch(_:)", ["a#", "xy|"], gives: "axy|", failing: ["a#", "x#"], gives: "ax#",
      cancelledAt: 1, gives: "a", asking: 2, gives: "ax"
    ) { inputs in inputs.first.catch { _ in inputs.second } },
    MarbleCase(
      "replaceError(with:)", "ab|", gives: "ab|", failing: "a#", gives: "a(o|)",
      cancelledAt: 0, gives: "a", asking: 1, gives: "a"
    ) { $0.first.replaceError(with: "o").setFailureType(to: MarbleFailure.self) },
    MarbleCase(
      "retry(_:)", "ab|", gives: "ab|", failing: "a#", gives: "aa#",
      cancelledAt: 0, gives: "a", asking: 1, gives: "a"
    ) { $0.first.retry(1) },
    MarbleCase(
      "retry(_:scheduler:)", "ab|", gives: "ab|", failing: "a#", gives: "a--a#",
      cancelledAt: 0, gives: "a", asking: 1, gives: "a"
    ) {
      $0.first.retry(
        RetryPolicy(attempts: 1, backoff: .constant(.ticks(2))), scheduler: $0.scheduler)
    },
  ]

  /// Operators over two sources.
  static let combining: [MarbleCase] = [
    MarbleCase(
      "merge(with:)", ["a--c|", "-b--d|"], gives: "ab-cd|", failing: ["a--c|", "-#"], gives: "a#",
      cancelledAt: 1, gives: "ab", asking: 1, gives: "a"
    ) { $0.first.map { $0 }.merge(with: $0.second) },
    MarbleCase(
      "merge(with:)", variant: "of one type", ["a--c|", "-b--d|"], gives: "ab-cd|",
      failing: ["a--c|", "-#"], gives: "a#", cancelledAt: 1, gives: "ab", asking: 1, gives: "a"
    ) { $0.first.merge(with: $0.second) },
    MarbleCase(
      "zip(_:)", ["a-c|", "-b-d|"], gives: "-x-(y|)", failing: ["a#", "-b"], gives: "-#",
      cancelledAt: 1, gives: "-x", asking: 1, gives: "-x", letters: ["x": "ab", "y": "cd"]
    ) { $0.first.zip($0.second).map { $0 + $1 } },
    MarbleCase(
      "zip(_:_:)", variant: "combined", ["a-c|", "-b-d|"], gives: "-x-(y|)",
      failing: ["a#", "-b"], gives: "-#", cancelledAt: 1, gives: "-x", asking: 1, gives: "-x",
      letters: ["x": "ab", "y": "cd"]
    ) { $0.first.zip($0.second) { $0 + $1 } },
    MarbleCase(
      "combineLatest(_:)", ["a-c|", "-b-d|"], gives: "-xyz|", failing: ["a#", "-b"], gives: "-#",
      cancelledAt: 2, gives: "-xy", asking: 1, gives: "-x",
      letters: ["x": "ab", "y": "cb", "z": "cd"]
    ) { $0.first.combineLatest($0.second).map { $0 + $1 } },
    MarbleCase(
      "combineLatest(_:_:)", variant: "combined", ["a-c|", "-b-d|"], gives: "-xyz|",
      failing: ["a#", "-b"], gives: "-#", cancelledAt: 2, gives: "-xy", asking: 1, gives: "-x",
      letters: ["x": "ab", "y": "cb", "z": "cd"]
    ) { $0.first.combineLatest($0.second) { $0 + $1 } },
    MarbleCase(
      "withLatest(from:)", ["a-c|", "-b|"], gives: "--b|", failing: ["a-#", "-b"], gives: "--#",
      cancelledAt: 1, gives: "", asking: 0, gives: ""
    ) { $0.first.withLatest(from: $0.second) },
    MarbleCase(
      "withLatest(from:_:)", ["a-c|", "-b|"], gives: "--x|", failing: ["a-#", "-b"], gives: "--#",
      cancelledAt: 1, gives: "", asking: 0, gives: "", letters: ["x": "cb"]
    ) { $0.first.withLatest(from: $0.second) { $0 + $1 } },
  ]

  /// Operators that subscribe to what each value is turned into.
  static let flattening: [MarbleCase] = [
    MarbleCase(
      "flatMap(maxPublishers:_:)", ["a--b|", "x---y|"], gives: "x--xy--y|",
      failing: ["a--b|", "x#"], gives: "x#", cancelledAt: 4, gives: "x--x",
      asking: 2, gives: "x--x"
    ) { inputs in inputs.first.flatMap { _ in inputs.second } },
    MarbleCase(
      "flatMap(maxPublishers:_:)", variant: "one at a time", ["ab|", "x-|"], gives: "x-x-|",
      failing: ["ab|", "x#"], gives: "x#", cancelledAt: 1, gives: "x", asking: 1, gives: "x"
    ) { inputs in inputs.first.flatMap(maxPublishers: .max(1)) { _ in inputs.second } },
    MarbleCase(
      "concatMap(_:)", ["ab|", "x-|"], gives: "x-x-|", failing: ["ab|", "x#"], gives: "x#",
      cancelledAt: 1, gives: "x", asking: 1, gives: "x"
    ) { inputs in inputs.first.concatMap { _ in inputs.second } },
    MarbleCase(
      "switchToLatest()", ["a-b|", "xyz|"], gives: "xyxyz|", failing: ["a", "x#"], gives: "x#",
      cancelledAt: 1, gives: "x", asking: 3, gives: "xyx"
    ) { inputs in inputs.first.map { _ in inputs.second }.switchToLatest() },
    MarbleCase(
      "flatMapLatest(_:)", ["a-b|", "xyz|"], gives: "xyxyz|", failing: ["a", "x#"], gives: "x#",
      cancelledAt: 1, gives: "x", asking: 3, gives: "xyx"
    ) { inputs in inputs.first.flatMapLatest { _ in inputs.second } },
  ]
}
