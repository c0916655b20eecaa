import AllocationShims
import Flow
import Synchronization

/// F1 to F11, and the cost of depth.
func flowBenchmarks(_ report: BenchmarkReport) async {
  memoryBenchmarks(report)
  sequenceBenchmarks(report)
  depthBenchmarks(report)
  subjectBenchmarks(report)
  lifetimeBenchmarks(report)
  combiningBenchmarks(report)
  threadBenchmarks(report)
}

/// What a sink adds to.
final class Sum: @unchecked Sendable {
  // SAFETY: each workload adds from one thread at a time.
  var value = 0
}

/// Closures that the optimiser cannot see through.
enum Opaque {
  @inline(never) @_optimize(none)
  static func map(_ closure: @escaping @Sendable (Int) -> Int) -> @Sendable (Int) -> Int { closure }

  @inline(never) @_optimize(none)
  static func filter(_ closure: @escaping @Sendable (Int) -> Bool) -> @Sendable (Int) -> Bool {
    closure
  }

  @inline(never) @_optimize(none)
  static func sink(_ closure: @escaping @Sendable (Int) -> Void) -> @Sendable (Int) -> Void {
    closure
  }
}

func sequenceBenchmarks(_ report: BenchmarkReport) {
  let count = 1_000_000
  let expected = (1...count).reduce(0) { ($1 + 1) % 2 == 0 ? $0 + $1 + 1 : $0 }
  let sum = Sum()
  let (add, even) = (Opaque.map { $0 &+ 1 }, Opaque.filter { $0 % 2 == 0 })
  let end = Opaque.sink { sum.value &+= $0 }
  let floor = {
    sum.value = 0
    for value in 1...count {
      let next = add(value)
      if even(next) { end(next) }
    }
    check(sum.value, expected, "F1 floor")
  }
  report.compare("F1", "sequence, map, filter, sink", operations: count, clock: .computing) {
    sum.value = 0
    _ = (1...count).publisher.map(add).filter(even).sink(receiveValue: end)
    check(sum.value, expected, "F1")
  } floor: {
    floor()
  }
  report.compare("F11.erased", "F1 with three erasures", operations: count, clock: .computing) {
    sum.value = 0
    _ = (1...count).publisher.eraseToAnyPublisher().map(add).eraseToAnyPublisher().filter(even)
      .eraseToAnyPublisher().sink(receiveValue: end)
    check(sum.value, expected, "F11")
  } floor: {
    floor()
  }
}

func subjectBenchmarks(_ report: BenchmarkReport) {
  let count = 1_000_000
  let sum = Sum()
  let add = Opaque.map { $0 &+ 1 }
  let end = Opaque.sink { sum.value &+= $0 }
  let gate = Mutex(0)
  do {
    let subject = PassthroughSubject<Int, Never>()
    let task = subject.map(add).sink(receiveValue: end)
    report.compare(
      "F3", "subject, map, sink; floor: Mutex, closure", operations: count, clock: .computing
    ) {
      sum.value = 0
      for value in 1...count { subject.send(value) }
      check(sum.value, count * (count + 1) / 2 + count, "F3")
    } floor: {
      for value in 1...count {
        gate.withLock { $0 &+= 1 }
        end(value)
      }
    }
    task.cancel()
  }
  do {
    let (sends, subscribers) = (20_000, 100)
    let subject = PassthroughSubject<Int, Never>()
    let tasks = (0..<subscribers).map { _ in subject.sink(receiveValue: end) }
    let ends = (0..<subscribers).map { _ in Opaque.sink { sum.value &+= $0 } }
    report.compare(
      "F4", "one subject, 100 sinks, a delivery; floor: Mutex, 100 closures",
      operations: sends * subscribers, clock: .computing
    ) {
      sum.value = 0
      for value in 1...sends { subject.send(value) }
      check(sum.value, subscribers * (sends * (sends + 1) / 2), "F4")
    } floor: {
      for value in 1...sends {
        gate.withLock { $0 &+= 1 }
        for end in ends { end(value) }
      }
    }
    tasks.forEach { $0.cancel() }
  }
}

/// An object such as the floors make and free.
final class Plain {
  let value: Int
  init(_ value: Int) { self.value = value }
}

/// Where the floors put it, so that it has to live on the heap.
final class Holder {
  var object: Plain?
}

func lifetimeBenchmarks(_ report: BenchmarkReport) {
  let sum = Sum()
  let (add, end) = (Opaque.map { $0 &+ 1 }, Opaque.sink { sum.value &+= $0 })
  let holder = Holder()
  let makeAndFree = { (count: Int) in
    for value in 1...count {
      holder.object = Plain(value)
      sum.value &+= holder.object?.value ?? 0
    }
  }
  let inners = 100_000
  for (id, limit) in [("F5.unlimited", Subscribers.Demand.unlimited), ("F5.max6", .max(6))] {
    report.compare(id, "flatMap over Just; floor: an object", operations: inners, clock: .computing)
    {
      sum.value = 0
      _ = (1...inners).publisher.flatMap(maxPublishers: limit) { Just(add($0)) }
        .sink(receiveValue: end)
      check(sum.value, inners * (inners + 1) / 2 + inners, id)
    } floor: {
      makeAndFree(inners)
    }
  }
  let pairs = 100_000
  for others in [0, 1_000] {
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.map(add).share()
    let lasting = shared.sink(receiveValue: end)
    let crowd = (0..<others).map { _ in shared.sink(receiveValue: end) }
    report.compare(
      others == 0 ? "F6" : "F6.crowd", "sink, cancel on a live share", operations: pairs,
      clock: .computing
    ) {
      for _ in 0..<pairs { shared.sink(receiveValue: end).cancel() }
    } floor: {
      makeAndFree(pairs)
    }
    sum.value = 0
    subject.send(1)
    check(sum.value, 2 * (others + 1), "F6")
    lasting.cancel()
    crowd.forEach { $0.cancel() }
  }
  let chains = 200_000
  report.compare(
    "F7", "Just, map, map, sink, whole life; floor: an object", operations: chains,
    clock: .computing
  ) {
    sum.value = 0
    for value in 1...chains { _ = Just(value).map(add).map(add).sink(receiveValue: end) }
    check(sum.value, chains * (chains + 1) / 2 + 2 * chains, "F7")
  } floor: {
    makeAndFree(chains)
  }
  if report.wants("F7"), allocation_count() >= 0 {
    let count = 1_000
    let literal = allocations {
      for value in 1...count {
        _ = Just(value).map { $0 &+ 1 }.map { $0 &+ 1 }.sink { sum.value &+= $0 }
      }
    }
    report.record(
      "F7.allocations", "blocks of memory of one life, closures in place; floor: the limit",
      ours: literal / Double(count), floor: 5, unit: "blocks")
  }
}
