/// Which sources of which lists are loaded next. Knows no lock, no list and no pipeline.
///
/// Of each list one source is known ahead. Lists take turns at the slots, so a long one does not
/// hold up a short one. Every transition takes a time that does not grow with the lists' lengths.
struct PrefetchState<Source> {
  typealias Run = Int
  typealias Load = Int

  enum Effect {
    /// Ask the list for its next source.
    case ask(Run)
    case start(Load, Source)
    case cancel([Load])
    /// What is known of a list has changed.
    case report(Run, PrefetchCounts)
    /// A list is over: all is done, or it was stopped.
    case end(Run, PrefetchCounts)
  }

  private struct List {
    var next: Source?
    var isExhausted = false
    var loads: Set<Load> = []
    var counts = PrefetchCounts()
  }

  private let slots: Int
  private var lists: [Run: List] = [:]
  private var runOfLoad: [Load: Run] = [:]
  /// Lists whose next source waits for a slot.
  private var line: [Run] = []
  private var lastLoad = 0
  private(set) var isPaused = false

  init(slots: Int) { self.slots = max(1, slots) }

  /// Loads that run.
  var loadCount: Int { runOfLoad.count }
  /// Lists that are not over.
  var runs: [Run] { lists.keys.sorted() }

  /// Takes a list on, under a number that no other had.
  mutating func add(_ run: Run) -> [Effect] {
    lists[run] = List()
    return [.ask(run)]
  }

  /// The source that was asked for has come.
  mutating func arrived(_ source: Source, of run: Run) -> [Effect] {
    guard lists[run] != nil else { return [] }
    lists[run]?.next = source
    line.append(run)
    return fillSlots()
  }

  /// There is no next source.
  mutating func exhausted(_ run: Run) -> [Effect] {
    lists[run]?.isExhausted = true
    return endIfOver(run)
  }

  /// A load is over.
  mutating func ended(_ load: Load, _ outcome: PrefetchOutcome) -> [Effect] {
    guard let run = runOfLoad.removeValue(forKey: load), lists[run] != nil else { return [] }
    lists[run]?.loads.remove(load)
    lists[run]?.counts.add(outcome)
    var effects: [Effect] = lists[run].map { [.report(run, $0.counts)] } ?? []
    effects += endIfOver(run)
    effects += fillSlots()
    return effects
  }

  /// Starts no more loads; those that run go on.
  mutating func pause() { isPaused = true }

  mutating func resume() -> [Effect] {
    isPaused = false
    return fillSlots()
  }

  /// Drops a list and cancels its loads. Again, it has no effect.
  mutating func stop(_ run: Run) -> [Effect] {
    guard let list = lists.removeValue(forKey: run) else { return [] }
    for load in list.loads { runOfLoad[load] = nil }
    line.removeAll { $0 == run }
    let cancel: [Effect] = list.loads.isEmpty ? [] : [.cancel(list.loads.sorted())]
    return cancel + [.end(run, list.counts)] + fillSlots()
  }

  /// Drops all lists.
  mutating func stopAll() -> [Effect] { runs.flatMap { stop($0) } }

  private mutating func fillSlots() -> [Effect] {
    var effects: [Effect] = []
    while !isPaused, runOfLoad.count < slots, let run = line.first {
      line.removeFirst()
      guard let source = lists[run]?.next else { continue }
      lastLoad += 1
      lists[run]?.next = nil
      lists[run]?.counts.taken += 1
      lists[run]?.loads.insert(lastLoad)
      runOfLoad[lastLoad] = run
      effects += [.start(lastLoad, source), .ask(run)]
    }
    return effects
  }

  private mutating func endIfOver(_ run: Run) -> [Effect] {
    guard let list = lists[run], list.isExhausted, list.next == nil, list.loads.isEmpty else {
      return []
    }
    lists[run] = nil
    return [.end(run, list.counts)]
  }
}
