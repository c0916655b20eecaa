import Flow
import Synchronization

extension LawTable {
  /// Operators over several streams.
  static let severalSources: [LawCase] = [
    LawCase("merge(with:)", is: .exact) { $0.first.map { $0 }.merge(with: $0.second) },
    LawCase("merge(with:)", "many", types: ["Publishers.MergeMany"], is: .exact) {
      $0.first.merge(with: $0.second).merge(with: $0.third)
    },
    LawCase("merge(with:_:)", types: ["Publishers.Merge3"], is: .exact) {
      $0.first.merge(with: $0.second, $0.third)
    },
    LawCase("merge(with:_:_:)", types: ["Publishers.Merge4"], is: .exact) {
      $0.first.merge(with: $0.second, $0.third, $0.sources[3])
    },
    LawCase("merge(with:_:_:_:)", types: ["Publishers.Merge5"], is: .exact) {
      $0.first.merge(with: $0.second, $0.third, $0.sources[3], Just(1).failing)
    },
    LawCase("merge(with:_:_:_:_:)", types: ["Publishers.Merge6"], is: .exact) {
      $0.first.merge(with: $0.second, $0.third, $0.sources[3], Just(1).failing, Just(2).failing)
    },
    LawCase("merge(with:_:_:_:_:_:)", types: ["Publishers.Merge7"], is: .exact) {
      $0.first.merge(
        with: $0.second, $0.third, $0.sources[3], Just(1).failing, Just(2).failing,
        Just(3).failing)
    },
    LawCase("merge(with:_:_:_:_:_:_:)", types: ["Publishers.Merge8"], is: .exact) {
      $0.first.merge(
        with: $0.second, $0.third, $0.sources[3], Just(1).failing, Just(2).failing,
        Just(3).failing, Just(4).failing)
    },
    LawCase("zip(_:)", is: .exact) { $0.first.zip($0.second).map { $0 &+ $1 } },
    LawCase("zip(_:_:)", "combined", is: .exact) { $0.first.zip($0.second) { $0 &+ $1 } },
    LawCase("zip(_:_:)", "of three", is: .exact) {
      $0.first.zip($0.second, $0.third).map { $0 &+ $1 &+ $2 }
    },
    LawCase("zip(_:_:_:)", "combined", is: .exact) {
      $0.first.zip($0.second, $0.third) { $0 &+ $1 &+ $2 }
    },
    LawCase("zip(_:_:_:)", "of four", types: ["Publishers.Zip3", "Publishers.Zip4"], is: .exact) {
      $0.first.zip($0.second, $0.third, $0.sources[3]).map { $0 &+ $1 &+ $2 &+ $3 }
    },
    LawCase("zip(_:_:_:_:)", is: .exact) {
      $0.first.zip($0.second, $0.third, $0.sources[3]) { $0 &+ $1 &+ $2 &+ $3 }
    },
    LawCase("combineLatest(_:)", is: .exact) { $0.first.combineLatest($0.second).map { $0 &+ $1 } },
    LawCase("combineLatest(_:_:)", "combined", is: .exact) {
      $0.first.combineLatest($0.second) { $0 &+ $1 }
    },
    LawCase("combineLatest(_:_:)", "of three", is: .exact) {
      $0.first.combineLatest($0.second, $0.third).map { $0 &+ $1 &+ $2 }
    },
    LawCase("combineLatest(_:_:_:)", "combined", is: .exact) {
      $0.first.combineLatest($0.second, $0.third) { $0 &+ $1 &+ $2 }
    },
    LawCase(
      "combineLatest(_:_:_:)", "of four",
      types: ["Publishers.CombineLatest3", "Publishers.CombineLatest4"], is: .exact
    ) {
      $0.first.combineLatest($0.second, $0.third, $0.sources[3]).map { $0 &+ $1 &+ $2 &+ $3 }
    },
    LawCase("combineLatest(_:_:_:_:)", is: .exact) {
      $0.first.combineLatest($0.second, $0.third, $0.sources[3]) { $0 &+ $1 &+ $2 &+ $3 }
    },
    LawCase("withLatest(from:)", is: .exact) { $0.first.withLatest(from: $0.second) },
    LawCase("withLatest(from:_:)", is: .exact) {
      $0.first.withLatest(from: $0.second) { $0 &+ $1 }
    },
    LawCase("prefix(untilOutputFrom:)", types: ["Publishers.PrefixUntilOutput"]) {
      $0.first.prefix(untilOutputFrom: $0.second.filter { $0 == 4 })
    },
    LawCase("drop(untilOutputFrom:)", types: ["Publishers.DropUntilOutput"], is: .exact) {
      $0.first.drop(untilOutputFrom: $0.second)
    },
    LawCase("append(_:)", "a publisher") { $0.first.prefix(2).append($0.second) },
    LawCase("prepend(_:)", "a publisher") { $0.first.prepend($0.second.prefix(2)) },
    LawCase("flatMap(maxPublishers:_:)", "of values", is: .exact) {
      $0.first.flatMap { [$0, $0].publisher }
    },
    LawCase("flatMap(maxPublishers:_:)", "of streams", is: [.exact, .resubscribes]) { inputs in
      [1, 2, 3].publisher.setFailureType(to: Trouble.self).flatMap { inputs.sources[$0] }
    },
    LawCase("flatMap(maxPublishers:_:)", "one at a time", is: [.exact, .resubscribes]) { inputs in
      inputs.first.flatMap(maxPublishers: .max(1)) { _ in inputs.second.prefix(2) }
    },
    LawCase("concatMap(_:)", is: [.exact, .resubscribes]) { inputs in
      inputs.first.concatMap { _ in inputs.second.prefix(2) }
    },
    LawCase("switchToLatest()", is: [.exact, .resubscribes]) { inputs in
      inputs.first.map { _ in inputs.second.prefix(2) }.switchToLatest()
    },
    LawCase("flatMapLatest(_:)", is: [.exact, .resubscribes]) { inputs in
      inputs.first.flatMapLatest { _ in inputs.second.prefix(2) }
    },
  ]

  /// Operators with one subscription for many subscribers, and subjects.
  static let sharing: [LawCase] = [
    LawCase("share(replay:)") { $0.first.share() },
    LawCase("share(replay:)", "repeating") { $0.first.share(replay: 2) },
    LawCase("shared(by:in:)", types: ["Publishers.SharedByKey"]) {
      $0.first.shared(by: 1, in: SharedPublishers<Int, Int, Trouble>())
    },
    LawCase("shared(by:in:)", "repeating") {
      $0.first.shared(by: 1, in: SharedPublishers<Int, Int, Trouble>(replay: .latest))
    },
    LawCase("autoconnect()") { $0.first.makeConnectable().autoconnect() },
    LawCase("makeConnectable()") { inputs in
      Deferred {
        let connectable = inputs.first.makeConnectable()
        let connection = AnyCancellable(connectable.connect())
        return connectable.map { value in withExtendedLifetime(connection) { value } }
      }
    },
    LawCase("multicast(subject:)") {
      $0.first.multicast(subject: PassthroughSubject<Int, Trouble>()).autoconnect()
    },
    LawCase("multicast(_:)", types: ["Publishers.Multicast"]) {
      $0.first.multicast { CurrentValueSubject<Int, Trouble>(0) }.autoconnect()
    },
    subject("PassthroughSubject") { PassthroughSubject<Int, Trouble>() },
    subject("CurrentValueSubject") { CurrentValueSubject<Int, Trouble>(0) },
    subject("ReplaySubject") { ReplaySubject<Int, Trouble>(bufferSize: 2) },
  ]

  /// A subject that the first source feeds for as long as somebody listens.
  private static func subject<S: Subject>(
    _ name: String, _ make: @escaping @Sendable () -> S
  ) -> LawCase where S.Output == Int, S.Failure == Trouble {
    LawCase(name) { inputs in
      Deferred {
        let subject = make()
        let feed = inputs.first.subscribe(subject)
        return subject.map { value in withExtendedLifetime(feed) { value } }
      }
    }
  }
}

extension Just<Int> {
  /// A stream of the same value that could fail.
  fileprivate var failing: Publishers.SetFailureType<Self, Trouble> {
    setFailureType(to: Trouble.self)
  }
}
