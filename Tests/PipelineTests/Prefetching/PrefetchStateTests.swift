import Testing

@testable import Pipeline

struct PrefetchStateTests {
  /// Loads of a machine, by hand.
  private struct Bench {
    var state: PrefetchState<String>
    var started: [String] = []
    var loads: [String: Int] = [:]
    var asked: [Int] = []
    var ended: [Int: PrefetchCounts] = [:]
    var cancelled: [Int] = []

    mutating func see(_ effects: [PrefetchState<String>.Effect]) {
      for effect in effects {
        switch effect {
        case .ask(let run): asked.append(run)
        case .start(let load, let source):
          started.append(source)
          loads[source] = load
        case .cancel(let loads): cancelled += loads
        case .report: break
        case .end(let run, let counts): ended[run] = counts
        }
      }
    }
  }

  @Test func `a list is asked for one source ahead, and slots are never exceeded`() {
    var bench = Bench(state: PrefetchState(slots: 2))
    bench.see(bench.state.add(1))
    for source in ["a", "b", "c"] { bench.see(bench.state.arrived(source, of: 1)) }
    #expect(bench.started == ["a", "b"])
    #expect(bench.asked == [1, 1, 1])
    bench.see(bench.state.ended(bench.loads["a"] ?? 0, .finished))
    #expect(bench.started == ["a", "b", "c"] && bench.asked.count == 4)
    #expect(bench.state.loadCount == 2)
  }

  @Test func `lists take turns`() {
    var bench = Bench(state: PrefetchState(slots: 1))
    for run in 1...2 { bench.see(bench.state.add(run)) }
    bench.see(bench.state.arrived("a1", of: 1))
    bench.see(bench.state.arrived("a2", of: 1))
    bench.see(bench.state.arrived("b1", of: 2))
    bench.see(bench.state.ended(bench.loads["a1"] ?? 0, .finished))
    bench.see(bench.state.arrived("a3", of: 1))
    bench.see(bench.state.ended(bench.loads["a2"] ?? 0, .finished))
    #expect(bench.started == ["a1", "a2", "b1"])
  }

  @Test func `R096: failed sources count once, and the end comes once, after the last`() {
    var bench = Bench(state: PrefetchState(slots: 3))
    bench.see(bench.state.add(1))
    for source in ["a", "b", "c"] { bench.see(bench.state.arrived(source, of: 1)) }
    bench.see(bench.state.exhausted(1))
    for (source, outcome) in [("a", PrefetchOutcome.failed), ("c", .skipped)] {
      bench.see(bench.state.ended(bench.loads[source] ?? 0, outcome))
      bench.see(bench.state.ended(bench.loads[source] ?? 0, outcome))
      #expect(bench.ended.isEmpty)
    }
    bench.see(bench.state.ended(bench.loads["b"] ?? 0, .finished))
    let counts = bench.ended[1]
    #expect(counts?.taken == 3 && counts?.done == 3)
    #expect(counts?.finished == 1 && counts?.failed == 1 && counts?.skipped == 1)
  }

  @Test func `paused, nothing starts; resumed, what waits does`() {
    var bench = Bench(state: PrefetchState(slots: 2))
    bench.see(bench.state.add(1))
    bench.state.pause()
    bench.see(bench.state.arrived("a", of: 1))
    #expect(bench.started.isEmpty)
    bench.see(bench.state.resume())
    #expect(bench.started == ["a"])
  }

  @Test func `a stopped list's loads are cancelled, and their slots go to others`() {
    var bench = Bench(state: PrefetchState(slots: 1))
    for run in 1...2 { bench.see(bench.state.add(run)) }
    bench.see(bench.state.arrived("a", of: 1))
    bench.see(bench.state.arrived("b", of: 2))
    bench.see(bench.state.stop(1))
    #expect(bench.cancelled == [bench.loads["a"]])
    #expect(bench.started == ["a", "b"])
    bench.see(bench.state.stop(1))
    bench.see(bench.state.arrived("late", of: 1))
    #expect(bench.started.count == 2 && bench.ended[1]?.done == 0)
  }

  @Test func `an empty list ends at once`() {
    var bench = Bench(state: PrefetchState(slots: 1))
    bench.see(bench.state.add(1))
    bench.see(bench.state.exhausted(1))
    #expect(bench.ended[1] == PrefetchCounts() && bench.state.runs.isEmpty)
  }
}
