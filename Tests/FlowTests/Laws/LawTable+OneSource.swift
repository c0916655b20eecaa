import Flow
import Synchronization

extension LawTable {
  /// Operators that pass values of one stream on, changed or not.
  static let oneSource: [LawCase] = [
    LawCase("map(_:)", is: .exact) { $0.first.map { $0 * 2 } },
    LawCase("tryMap(_:)", is: .exact) { $0.first.tryMap { n throws(Trouble) in n * 2 } },
    LawCase("tryMap(_:)", "that throws", is: [.silent]) {
      $0.first.tryMap { _ throws(Trouble) -> Int in throw .small }
    },
    LawCase("filter(_:)", is: .exact) { $0.first.filter { $0 % 2 == 0 } },
    LawCase("tryFilter(_:)", is: .exact) { $0.first.tryFilter { n throws(Trouble) in n % 2 == 0 } },
    LawCase("compactMap(_:)", is: .exact) { $0.first.compactMap { $0 % 2 == 0 ? $0 : nil } },
    LawCase("tryCompactMap(_:)", is: .exact) {
      $0.first.tryCompactMap { n throws(Trouble) in n % 2 == 0 ? n : nil }
    },
    LawCase("replaceNil(with:)", is: .exact) {
      $0.first.map { $0 % 2 == 0 ? $0 : nil }.replaceNil(with: 0)
    },
    LawCase("scan(_:_:)", is: .exact) { $0.first.scan(0) { $0 &+ $1 } },
    LawCase("tryScan(_:_:)", is: .exact) {
      $0.first.tryScan(0) { sum, n throws(Trouble) in sum &+ n }
    },
    LawCase("removeDuplicates()", is: .exact) { $0.first.map { $0 / 2 }.removeDuplicates() },
    LawCase("removeDuplicates(by:)", is: .exact) { $0.first.removeDuplicates { $0 / 2 == $1 / 2 } },
    LawCase("dropFirst(_:)", is: .exact) { $0.first.dropFirst(2) },
    LawCase("drop(while:)", types: ["Publishers.DropWhile"], is: .exact) {
      $0.first.drop { $0 < 3 }
    },
    LawCase("prefix(_:)") { $0.first.prefix(3) },
    LawCase("prefix(_:)", "of nothing", types: ["Publishers.PrefixCount"], is: [.silent, .source]) {
      $0.first.prefix(0)
    },
    LawCase("prefix(while:)", types: ["Publishers.PrefixWhile"]) { $0.first.prefix { $0 < 3 } },
    LawCase("map(_:_:)", is: .exact) { $0.first.map(\.self, \.littleEndian).map { $0 &+ $1 } },
    LawCase("map(_:_:_:)", is: .exact) {
      $0.first.map(\.self, \.self, \.self).map { $0 &+ $1 &+ $2 }
    },
    LawCase("output(at:)") { $0.first.output(at: 1) },
    LawCase("output(in:)") { $0.first.output(in: 1..<3) },
    LawCase("mapError(_:)", is: .exact) { $0.first.mapError { _ in Trouble.large } },
    LawCase("setFailureType(to:)", is: .exact) {
      $0.first.replaceError(with: 0).setFailureType(to: Trouble.self)
    },
    LawCase("assertNoFailure(_:file:line:)", is: [.exact, .trapsOnFailure]) {
      $0.first.assertNoFailure().setFailureType(to: Trouble.self)
    },
    LawCase(
      "handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:"
        + "receiveRequest:)", is: .exact
    ) {
      $0.first.handleEvents(
        receiveSubscription: { _ in }, receiveOutput: { _ in }, receiveCompletion: { _ in },
        receiveCancel: {}, receiveRequest: { _ in })
    },
    LawCase("print(_:to:)", is: .exact) { $0.first.print("law") { _ in } },
    LawCase("eraseToAnyPublisher()", types: ["AnyPublisher"], is: .exact) {
      $0.first.map { $0 }.eraseToAnyPublisher()
    },
    LawCase("materialize()", is: .exact) {
      $0.first.materialize().map { event in
        if case .value(let value) = event { value } else { 0 }
      }.setFailureType(to: Trouble.self)
    },
    LawCase("dematerialize()", is: .exact) { $0.first.materialize().dematerialize() },
    LawCase("buffer(size:prefetch:whenFull:)", "by request", is: .exact) {
      $0.first.buffer(size: 3, prefetch: .byRequest, whenFull: .dropOldest)
    },
    LawCase("buffer(size:prefetch:whenFull:)", "kept full", is: .exact) {
      $0.first.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest)
    },
    LawCase("buffer(size:prefetch:whenFull:)", "that fails") {
      $0.first.buffer(size: 3, prefetch: .byRequest, whenFull: .customError { .large })
    },
    LawCase("append(_:)", "elements", types: ["Publishers.Concatenate"]) {
      $0.first.append(7, 8)
    },
    LawCase("prepend(_:)", "elements", is: .exact) { $0.first.prepend(7, 8) },
    LawCase("catch(_:)") { $0.first.catch { _ in Just(7).setFailureType(to: Trouble.self) } },
    LawCase("tryCatch(_:)") {
      $0.first.tryCatch { _ throws(Trouble) in Just(7).setFailureType(to: Trouble.self) }
    },
    LawCase("replaceError(with:)") {
      $0.first.replaceError(with: 7).setFailureType(to: Trouble.self)
    },
    LawCase("retry(_:)", is: [.exact, .resubscribes]) { $0.first.retry(2) },
  ]

  /// Operators that tell something of the whole stream, or end it.
  static let endings: [LawCase] = [
    LawCase("reduce(_:_:)") { $0.first.reduce(0) { $0 &+ $1 } },
    LawCase("collect()") { $0.first.collect().map(\.count) },
    LawCase("collect(_:)", types: ["Publishers.CollectByCount"], is: .exact) {
      $0.first.collect(2).map(\.count)
    },
    LawCase("count()") { $0.first.count() },
    LawCase("first()") { $0.first.first() },
    LawCase("first(where:)") { $0.first.first { $0 == 3 } },
    LawCase("last()") { $0.first.last() },
    LawCase("last(where:)") { $0.first.last { $0 < 5 } },
    LawCase("max()", types: ["Publishers.Comparison"]) { $0.first.max() },
    LawCase("max(by:)") { $0.first.max { $0 < $1 } },
    LawCase("min()") { $0.first.min() },
    LawCase("min(by:)") { $0.first.min { $0 < $1 } },
    LawCase("contains(_:)") { $0.first.contains(3).map { $0 ? 1 : 0 } },
    LawCase("contains(where:)") { $0.first.contains { $0 == 3 }.map { $0 ? 1 : 0 } },
    LawCase("allSatisfy(_:)") { $0.first.allSatisfy { $0 < 3 }.map { $0 ? 1 : 0 } },
    LawCase("ignoreOutput()", is: .silent) { $0.first.ignoreOutput().map(anything) },
    LawCase("replaceEmpty(with:)", is: .exact) { $0.first.replaceEmpty(with: 7) },
    LawCase("replaceEmpty(with:)", "of nothing") {
      $0.first.filter { _ in false }.replaceEmpty(with: 7)
    },
  ]
}

/// Turns a value that cannot be into one of any type.
private func anything<T>(from never: Never) -> T {}
