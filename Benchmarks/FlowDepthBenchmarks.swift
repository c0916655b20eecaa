import Flow

/// Ten maps against ten closures, and each one-source operator 1, 2, 3, 5 and 10 deep: a cliff
/// between two of these depths means that the compiler has stopped specialising.
func depthBenchmarks(_ report: BenchmarkReport) {
  let count = 1_000_000
  let sum = Sum()
  let f = Opaque.map { $0 &+ 1 }
  let end = Opaque.sink { sum.value &+= $0 }
  let source = (1...count).publisher
  func run(_ publisher: some Publisher<Int, Never>) {
    sum.value = 0
    _ = publisher.sink(receiveValue: end)
  }
  let floor = {
    sum.value = 0
    for value in 1...count { end(f(f(f(f(f(f(f(f(f(f(value))))))))))) }
    check(sum.value, count * (count + 1) / 2 + 10 * count, "F2 floor")
  }
  report.compare("F2", "sequence, 10 maps, sink", operations: count) {
    run(source.map(f).map(f).map(f).map(f).map(f).map(f).map(f).map(f).map(f).map(f))
    check(sum.value, count * (count + 1) / 2 + 10 * count, "F2")
  } floor: {
    floor()
  }
  depth(report, "map", count, of: source.map(f)) {
    run(source.map(f).map(f))
  } three: {
    run(source.map(f).map(f).map(f))
  } five: {
    run(source.map(f).map(f).map(f).map(f).map(f))
  } ten: {
    run(source.map(f).map(f).map(f).map(f).map(f).map(f).map(f).map(f).map(f).map(f))
  } one: {
    run($0)
  }
}

/// Reports depth ten against depth two, and notes the others.
func depth<One>(
  _ report: BenchmarkReport, _ name: String, _ count: Int, of one: One, two: () -> Void,
  three: () -> Void, five: () -> Void, ten: () -> Void, one runOne: (One) -> Void
) {
  let id = "F2.depth.\(name)"
  guard report.wants(id) else { return }
  let at1 = report.time(count, rounds: 3) { runOne(one) }
  let at2 = report.time(count, rounds: 3, two)
  let at3 = report.time(count, rounds: 3, three)
  let at5 = report.time(count, rounds: 3, five)
  let at10 = report.time(count, rounds: 3, ten)
  let all = [at1, at2, at3, at5, at10].map { String(Int($0.rounded())) }.joined(separator: " ")
  report.record(id, "at 1 2 3 5 10: \(all)", ours: at10, floor: at2, unit: "ns")
}
