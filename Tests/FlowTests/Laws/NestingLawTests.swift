import Flow
import FlowTesting
import Testing

/// The stack stays shallow, however deep streams nest, and so does letting go of them.
@Suite struct NestingLawTests {
  /// Sanitizers take ten times as long, and look for other faults.
  static let depth = isSanitized ? 2_000 : 100_000

  /// Letting go needs no more than this in unoptimised code, either.
  static var shorter: Int {
    #if DEBUG
      min(depth, 10_000)
    #else
      depth
    #endif
  }

  @Test(arguments: NestedCase.all)
  func `a hundred thousand nested streams need no deep stack`(nested: NestedCase) {
    let referee = Referee(.none)
    nested.build(Self.depth).subscribe(referee)
    referee.request(.max(1))
    referee.request(.unlimited)
    #expect(referee.values == (nested.failsInTheEnd ? [] : [7]))
    #expect(referee.ends == 1)
    #expect(referee.breaches == [])
    #expect(referee.stackSpan < 262_144)
  }

  @Test(arguments: NestedCase.all)
  func `a hundred thousand nested streams are cancelled and released on a shallow stack`(
    nested: NestedCase
  ) {
    let probe = Probe()
    weak var witness: Witness?
    let referee = {
      let strong = Witness()
      witness = strong
      return Referee { _, _ in withExtendedLifetime(strong) { .none } }
    }()
    nested.start(Self.shorter, probe.eraseToAnyPublisher()).subscribe(referee)
    if !nested.failsInTheEnd { #expect(probe.aliveCount == 1) }
    probe.send(1)
    referee.cancel()
    #expect(probe.aliveCount == 0)
    probe.send(2)
    #expect(referee.breaches == [])
    #expect(witness != nil)
  }

  @Test(arguments: NestedCase.all)
  func `a hundred thousand nested streams let go without cancel of a shallow stack`(
    nested: NestedCase
  ) {
    let probe = Probe()
    // It asks for nothing and forgets its subscription.
    let deaf = AnySubscriber<Int, Trouble>()
    nested.start(Self.shorter, probe.eraseToAnyPublisher()).subscribe(deaf)
    probe.send(1)
    probe.send(completion: .finished)
    #expect(probe.aliveCount == 0)
  }
}

/// A hundred thousand streams, each inside the other.
struct NestedCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var failsInTheEnd = false
  /// Nests so many streams over the innermost one.
  let start: @Sendable (Int, LawStream) -> LawStream

  func build(_ depth: Int) -> LawStream {
    start(depth, Just(7).setFailureType(to: Trouble.self).eraseToAnyPublisher())
  }

  init(
    _ description: String, failsInTheEnd: Bool = false,
    start: @escaping @Sendable (Int, LawStream) -> LawStream
  ) {
    testDescription = description
    self.failsInTheEnd = failsInTheEnd
    self.start = start
  }

  /// Each stream makes the next when it runs.
  private static func recursive<P: Publisher>(
    _ name: String, _ level: @escaping @Sendable (Deferred<LawStream>) -> P
  ) -> NestedCase where P.Output == Int, P.Failure == Trouble {
    @Sendable func build(_ depth: Int, _ innermost: LawStream) -> LawStream {
      if depth == 0 { return innermost }
      return level(Deferred { build(depth - 1, innermost) }).eraseToAnyPublisher()
    }
    return NestedCase("recursion through \(name)") { build($0, $1) }
  }

  /// All streams stand before the first one runs.
  private static func stacked<P: Publisher>(
    _ name: String, _ level: @escaping @Sendable (LawStream) -> P
  ) -> NestedCase where P.Output == Int, P.Failure == Trouble {
    NestedCase("a stack of \(name)") { depth, innermost in
      (0..<depth).reduce(innermost) { stack, _ in level(stack).eraseToAnyPublisher() }
    }
  }

  private static let one = Just(1).setFailureType(to: Trouble.self)
  private static let none = Empty<Int, Trouble>()
  private static let failure = Fail<Int, Trouble>(error: .small)

  static let all = [
    recursive("flatMap") { next in one.flatMap { _ in next } },
    recursive("concatMap") { next in one.concatMap { _ in next } },
    recursive("switchToLatest") { next in one.flatMapLatest { _ in next } },
    recursive("append") { none.append($0) },
    recursive("prepend") { none.prepend($0) },
    recursive("catch") { next in failure.catch { _ in next } },
    recursive("tryCatch") { next in failure.tryCatch { _ throws(Trouble) in next } },
    recursive("retry") { $0.retry(1) },
    recursive("share") { $0.share(replay: 1) },
    recursive("map") { $0.map { $0 } },
    stacked("flatMap") { $0.flatMap { Just($0).setFailureType(to: Trouble.self) } },
    stacked("switchToLatest") { $0.flatMapLatest { Just($0).setFailureType(to: Trouble.self) } },
    stacked("append") { $0.append(none) },
    stacked("prepend") { $0.prepend(none) },
    stacked("catch") { $0.catch { Fail(error: $0) } },
    stacked("retry") { $0.retry(0) },
    stacked("merge") { $0.merge(with: none) },
    stacked("map") { $0.map { $0 } },
    NestedCase("retries in a row", failsInTheEnd: true) { depth, _ in
      Fail<Int, Trouble>(error: .small).retry(depth).eraseToAnyPublisher()
    },
  ]
}
