import Foundation
import Testing

/// Each of Combine's operators is here under its name and labels, or the page for those who come
/// from Combine says why not.
@Suite struct CombineCoverageTests {
  /// The members of Combine's `Publisher`, `Subject` and `ConnectablePublisher`.
  static let combine: Set<String> = [
    "map(_:)", "map(_:_:)", "map(_:_:_:)", "tryMap(_:)", "mapError(_:)", "replaceNil(with:)",
    "scan(_:_:)", "tryScan(_:_:)", "setFailureType(to:)", "filter(_:)", "tryFilter(_:)",
    "compactMap(_:)", "tryCompactMap(_:)", "removeDuplicates()", "removeDuplicates(by:)",
    "tryRemoveDuplicates(by:)", "replaceEmpty(with:)", "replaceError(with:)", "collect()",
    "collect(_:)", "collect(_:options:)", "ignoreOutput()", "reduce(_:_:)", "tryReduce(_:_:)",
    "count()", "max()", "max(by:)", "tryMax(by:)", "min()", "min(by:)", "tryMin(by:)",
    "contains(_:)", "contains(where:)", "tryContains(where:)", "allSatisfy(_:)",
    "tryAllSatisfy(_:)", "drop(untilOutputFrom:)", "dropFirst(_:)", "drop(while:)",
    "tryDrop(while:)", "append(_:)", "prepend(_:)", "prefix(_:)", "prefix(while:)",
    "tryPrefix(while:)", "prefix(untilOutputFrom:)", "first()", "first(where:)",
    "tryFirst(where:)", "last()", "last(where:)", "tryLast(where:)", "output(at:)", "output(in:)",
    "combineLatest(_:)", "combineLatest(_:_:)", "combineLatest(_:_:_:)",
    "combineLatest(_:_:_:_:)", "merge(with:)", "merge(with:_:)", "merge(with:_:_:)",
    "merge(with:_:_:_:)", "merge(with:_:_:_:_:)", "merge(with:_:_:_:_:_:)",
    "merge(with:_:_:_:_:_:_:)", "zip(_:)", "zip(_:_:)", "zip(_:_:_:)", "zip(_:_:_:_:)",
    "flatMap(maxPublishers:_:)", "switchToLatest()", "assertNoFailure(_:file:line:)", "catch(_:)",
    "tryCatch(_:)", "retry(_:)", "measureInterval(using:)", "debounce(for:scheduler:options:)",
    "delay(for:tolerance:scheduler:options:)", "throttle(for:scheduler:latest:)",
    "timeout(_:scheduler:options:customError:)", "encode(encoder:)", "decode(type:decoder:)",
    "multicast(_:)", "multicast(subject:)", "share()", "makeConnectable()", "autoconnect()",
    "buffer(size:prefetch:whenFull:)", "subscribe(on:options:)",
    "receive(on:options:)", "sink(receiveCompletion:receiveValue:)", "sink(receiveValue:)",
    "assign(to:on:)", "assign(to:)",
    "handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:"
      + "receiveRequest:)",
    "print(_:to:)", "breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)",
    "breakpointOnError()", "eraseToAnyPublisher()", "subscribe(_:)", "values", "send()",
  ]

  /// Found here with one more argument, which may be left out.
  static let widened = ["share()": "share(replay:)"]

  @Test func `every operator of Combine is here, or its absence has a reason`() throws {
    let surface = try PublicSurface()
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let (_, list) = try #require(page.split(separator: "## What is not here").pair)
    for name in Self.combine.sorted() {
      if surface.members.contains(Self.widened[name] ?? name) { continue }
      let isExplained = list.contains("`\(name.prefix { $0 != "(" })(")
      #expect(isExplained, "\(name) is neither here nor explained")
    }
  }

  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/Streams/Flow.docc/ComingFromCombine.md").standardized
}

extension Array {
  /// Both elements of a list of two.
  fileprivate var pair: (Element, Element)? { count == 2 ? (self[0], self[1]) : nil }
}
