import Flow

/// Runs `build` on a marble input under virtual time and compares what it sends with `expected`.
///
/// ```swift
/// #expect(
///   marbles("ab---c--|",
///           "---b---c|") { $0.debounce(for: .ticks(2), scheduler: $1) } == .match)
/// ```
///
/// - Parameters:
///   - input: What the upstream does; see `MarbleDiagram`.
///   - expected: What the subscriber should hear. `#` stands for any failure.
///   - demand: What the subscriber asks for; everything unless given.
///   - cancelAt: The tick at which the subscriber cancels; never unless given.
///   - build: Makes the chain from the input and the scheduler.
/// - Returns: `.match`, or the difference.
public func marbles<P: Publisher>(
  _ input: String, _ expected: String, demand: DemandScript = .unlimited, cancelAt: Int? = nil,
  _ build: (MarblePublisher, VirtualScheduler) throws -> P
) rethrows -> MarbleComparison where P.Output == String {
  try MarbleRun(inputs: [input], expected: expected, demand: demand, cancelAt: cancelAt)
    .compare(named: { String($0) }) { try build($0[0], $1) }
}

/// The same for a chain that sends values of any kind: `values` says what the letters of `expected`
/// stand for.
public func marbles<P: Publisher>(
  _ input: String, _ expected: String, values: [Character: P.Output],
  demand: DemandScript = .unlimited, cancelAt: Int? = nil,
  _ build: (MarblePublisher, VirtualScheduler) throws -> P
) rethrows -> MarbleComparison where P.Output: Equatable {
  try MarbleRun(inputs: [input], expected: expected, demand: demand, cancelAt: cancelAt)
    .compare(named: { values[$0] }) { try build($0[0], $1) }
}

/// The same for a chain with several inputs.
public func marbles<P: Publisher>(
  inputs: [String], _ expected: String, demand: DemandScript = .unlimited, cancelAt: Int? = nil,
  _ build: ([MarblePublisher], VirtualScheduler) throws -> P
) rethrows -> MarbleComparison where P.Output == String {
  try MarbleRun(inputs: inputs, expected: expected, demand: demand, cancelAt: cancelAt)
    .compare(named: { String($0) }, build: build)
}

/// The same for a chain with several inputs that sends values of any kind.
public func marbles<P: Publisher>(
  inputs: [String], _ expected: String, values: [Character: P.Output],
  demand: DemandScript = .unlimited, cancelAt: Int? = nil,
  _ build: ([MarblePublisher], VirtualScheduler) throws -> P
) rethrows -> MarbleComparison where P.Output: Equatable {
  try MarbleRun(inputs: inputs, expected: expected, demand: demand, cancelAt: cancelAt)
    .compare(named: { values[$0] }, build: build)
}

/// One run of a chain under virtual time.
struct MarbleRun {
  let inputs: [String]
  let expected: String
  let demand: DemandScript
  let cancelAt: Int?

  /// How long after the last column something unexpected is still seen.
  private static let afterglow = 100

  func compare<P: Publisher>(
    named: (Character) -> P.Output?,
    build: ([MarblePublisher], VirtualScheduler) throws -> P
  ) rethrows -> MarbleComparison where P.Output: Equatable {
    let scheduler = VirtualScheduler()
    let diagram: MarbleDiagram
    var publishers: [MarblePublisher] = []
    do {
      diagram = try MarbleDiagram(expected)
      for input in inputs {
        publishers.append(try MarblePublisher(input, scheduler: scheduler))
      }
    } catch {
      return .mismatch("  cannot be read: \(error)")
    }
    let recorder = try build(publishers, scheduler).recording(demand: demand, scheduler: scheduler)
    if let cancelAt {
      scheduler.schedule(after: VirtualTime(offset: .ticks(cancelAt))) { recorder.cancel() }
    }
    let end = max(inputs.map(\.count).max() ?? 0, diagram.length) + Self.afterglow
    scheduler.advance(to: VirtualTime(offset: .ticks(end)))
    return MarbleSignal.compare(
      inputs: inputs, expected: Self.signals(of: diagram, named: named),
      actual: Self.signals(of: recorder, in: diagram, named: named))
  }

  private static func signals<Value>(
    of diagram: MarbleDiagram, named: (Character) -> Value?
  ) -> [MarbleSignal] {
    diagram.entries.map { entry in
      switch entry.mark {
      case .value(let letter): MarbleSignal(tick: entry.tick, text: String(letter))
      case .finish: MarbleSignal(tick: entry.tick, text: "|")
      case .failure: MarbleSignal(tick: entry.tick, text: "#")
      }
    }
  }

  /// What was heard; a value goes by its letter if it has one.
  private static func signals<Value: Equatable, Failure>(
    of recorder: RecordingSubscriber<Value, Failure>, in diagram: MarbleDiagram,
    named: (Character) -> Value?
  ) -> [MarbleSignal] {
    let letters = diagram.entries.compactMap { entry in
      if case .value(let letter) = entry.mark { letter } else { nil }
    }
    return recorder.timeline.compactMap { timed in
      let text: String
      switch timed.signal {
      case .subscription: return nil
      case .value(let value):
        text = letters.first { named($0) == value }.map(String.init) ?? "\(value)"
      case .completion(.finished): text = "|"
      case .completion(.failure): text = "#"
      }
      return MarbleSignal(tick: timed.time.ticks, text: text)
    }
  }
}
