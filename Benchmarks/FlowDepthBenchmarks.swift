import Flow

/// Ten maps against ten closures, and each one-source operator 1, 2, 3, 5 and 10 deep: a cliff
/// between two of these depths means that the compiler has stopped specialising.
func depthBenchmarks(_ report: BenchmarkReport) {
  let count = 1_000_000
  let sum = Sum()
  let f = Opaque.map { $0 &+ 1 }
  let end = Opaque.sink { sum.value &+= $0 }
  let floor = {
    sum.value = 0
    for value in 1...count { end(f(f(f(f(f(f(f(f(f(f(value))))))))))) }
    check(sum.value, count * (count + 1) / 2 + 10 * count, "F2 floor")
  }
  report.compare("F2", "sequence, 10 maps, sink", operations: count, clock: .computing) {
    sum.value = 0
    _ = (1...count).publisher.map(f).map(f).map(f).map(f).map(f).map(f).map(f).map(f).map(f).map(f)
      .sink(receiveValue: end)
    check(sum.value, count * (count + 1) / 2 + 10 * count, "F2")
  } floor: {
    floor()
  }
  mixedBenchmark(report)
  for (name, run) in depthLines { depth(report, name, run) }
}

/// Ten different operators against the ten closures that they call.
private func mixedBenchmark(_ report: BenchmarkReport) {
  let count = 1_000_000
  let sum = Sum()
  let (f, pass) = (Opaque.map { $0 &+ 1 }, Opaque.filter { $0 > 0 })
  let (look, end) = (Opaque.sink { _ in }, Opaque.sink { sum.value &+= $0 })
  report.compare("F2.mixed", "10 different operators", operations: count, clock: .computing) {
    sum.value = 0
    _ = (1...count).publisher.map(f).filter(pass).compactMap { f($0) }.scan(0) { $0 &+ f($1) &- $0 }
      .removeDuplicates().handleEvents(receiveOutput: look).dropFirst(0).prefix(count)
      .setFailureType(to: Never.self).drop { !pass($0) }.sink(receiveValue: end)
    check(sum.value, count * (count + 1) / 2 + 3 * count, "F2.mixed")
  } floor: {
    sum.value = 0
    var last = 0
    for value in 1...count {
      var next = f(value)
      guard pass(next) else { continue }
      next = f(f(next))
      guard next != last else { continue }
      last = next
      look(next)
      if pass(next), pass(next) { end(next) }
    }
    check(sum.value, count * (count + 1) / 2 + 3 * count, "F2.mixed floor")
  }
}

/// Depth ten against depth two; the note has the others.
private func depth(
  _ report: BenchmarkReport, _ name: String,
  _ run: (_ count: Int, _ end: @escaping @Sendable (Int) -> Void) -> [() -> Void]
) {
  let id = "F2.depth.\(name)"
  guard report.wants(id) else { return }
  let count = 300_000
  let sum = Sum()
  let bodies = run(count, Opaque.sink { sum.value &+= $0 })
  let times = bodies.map { body in
    report.time(count, rounds: 3, clock: .computing) {
      sum.value = 0
      body()
      precondition(sum.value > count, "\(name) did not deliver")
    }
  }
  let all = times.map { String(Int($0.rounded())) }.joined(separator: " ")
  report.record(id, "at 1 2 3 5 10: \(all)", ours: times[4], floor: times[1], unit: "ns")
}
