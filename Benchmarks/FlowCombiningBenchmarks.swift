import Dispatch
import Flow
import Foundation
import Synchronization

/// F8: operators over several sources, and those that remember. Their floor is a send through a
/// subject alone.
func combiningBenchmarks(_ report: BenchmarkReport) {
  let count = 400_000
  let sum = Sum()
  let end = Opaque.sink { sum.value &+= $0 }
  let plain = PassthroughSubject<Int, Never>()
  let plainTask = plain.sink(receiveValue: end)
  let floor = { for value in 1...count { plain.send(value) } }
  report.compare("F8.merge", "merge of 8 sequences", operations: count, clock: .computing) {
    sum.value = 0
    let each = count / 8
    _ = Publishers.MergeMany((0..<8).map { _ in (1...each).publisher }).sink(receiveValue: end)
    check(sum.value, 8 * (each * (each + 1) / 2), "F8.merge")
  } floor: {
    floor()
  }
  let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
  let zipTask = a.zip(b).map { $0.0 &+ $0.1 }.sink(receiveValue: end)
  report.compare("F8.zip", "zip of two subjects, a send", operations: count, clock: .computing) {
    sum.value = 0
    for value in 1...(count / 2) {
      a.send(value)
      b.send(value)
    }
    check(sum.value, (count / 2) * (count / 2 + 1), "F8.zip")
  } floor: {
    floor()
  }
  zipTask.cancel()
  let scanned = PassthroughSubject<Int, Never>()
  let scanTask = scanned.scan(0) { _, value in value &+ 1 }.sink(receiveValue: end)
  report.compare("F8.scan", "subject, scan, sink", operations: count, clock: .computing) {
    sum.value = 0
    for value in 1...count { scanned.send(value) }
    check(sum.value, count * (count + 1) / 2 + count, "F8.scan")
  } floor: {
    floor()
  }
  scanTask.cancel()
  let repeated = PassthroughSubject<Int, Never>()
  let uniqueTask = repeated.removeDuplicates().sink(receiveValue: end)
  report.compare("F8.removeDuplicates", "each value twice", operations: count, clock: .computing) {
    sum.value = 0
    for value in 1...(count / 2) {
      repeated.send(value)
      repeated.send(value)
    }
    check(sum.value, (count / 2) * (count / 2 + 1) / 2, "F8.removeDuplicates")
  } floor: {
    floor()
  }
  uniqueTask.cancel()
  plainTask.cancel()
}

/// F9 and F10: from thread to thread, and two threads into one.
func threadBenchmarks(_ report: BenchmarkReport) {
  let count = 200_000
  let sum = Sum()
  let end = Opaque.sink { sum.value &+= $0 }
  let queue = DispatchQueue(label: "benchmark")
  report.compare("F9", "receive(on: serial queue); floor: one async each", operations: count) {
    sum.value = 0
    let done = DispatchSemaphore(value: 0)
    let subject = PassthroughSubject<Int, Never>()
    let task = subject.receive(on: queue).sink { _ in
      done.signal()
    } receiveValue: {
      end($0)
    }
    for value in 1...count { subject.send(value) }
    subject.send(completion: .finished)
    done.wait()
    task.cancel()
    check(sum.value, count * (count + 1) / 2, "F9")
  } floor: {
    sum.value = 0
    let done = DispatchSemaphore(value: 0)
    for value in 1...count { queue.async { end(value) } }
    queue.async { done.signal() }
    done.wait()
    check(sum.value, count * (count + 1) / 2, "F9 floor")
  }
  let each = 500_000
  let subject = PassthroughSubject<Int, Never>()
  let task = subject.map { $0 }.sink(receiveValue: end)
  let locked = Mutex(0)
  report.compare("F10", "two threads into one subject; floor: one Mutex", operations: 2 * each) {
    sum.value = 0
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      for _ in 0..<each { subject.send(1) }
    }
    // A sender that lost the race leaves its value to the other, which may still be delivering.
    check(sum.value, 2 * each, "F10")
  } floor: {
    sum.value = 0
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      for _ in 0..<each {
        locked.withLock { _ in end(1) }
      }
    }
    check(sum.value, 2 * each, "F10 floor")
  }
  task.cancel()
}

/// F11: what a live chain holds on the heap. Runs first, while no freed memory can be used again.
///
/// Closures written in place hold nothing but what they capture, here at most one object. A closure
/// kept in a variable costs the chain 48 bytes more: Swift wraps it where it goes into generic code.
func memoryBenchmarks(_ report: BenchmarkReport) {
  guard report.wants("F11") else { return }
  let sum = Sum()
  var alive: [AnyCancellable] = []
  alive += heapOfChains(report, "F11.heap", "subject, map, map, sink; floor: the limit", sum) {
    subject in
    subject.map { $0 &+ 1 }.map { $0 &+ 1 }.sink { sum.value &+= $0 }
  }
  let add = Opaque.map { $0 &+ 1 }
  let end = Opaque.sink { sum.value &+= $0 }
  alive += heapOfChains(report, "F11.stored", "the same with stored closures; 3 × 48 B of it", sum)
  {
    $0.map(add).map(add).sink(receiveValue: end)
  }
  withExtendedLifetime(alive) {}
}

private func heapOfChains(
  _ report: BenchmarkReport, _ id: String, _ note: String, _ sum: Sum,
  chain: (PassthroughSubject<Int, Never>) -> AnyCancellable
) -> [AnyCancellable] {
  let chains = 100_000
  let subject = PassthroughSubject<Int, Never>()
  var tasks: [AnyCancellable] = []
  tasks.reserveCapacity(chains)
  let before = residentBytes()
  for _ in 0..<chains { tasks.append(chain(subject)) }
  let after = residentBytes()
  report.record(
    id, note, ours: Double(after - before) / Double(chains), floor: 400, unit: "B")
  sum.value = 0
  subject.send(1)
  check(sum.value, 3 * chains, id)
  return tasks
}

/// Bytes of memory that this process has in use, in whole pages.
private func residentBytes() -> Int {
  let statistics = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  let pages = statistics.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}
