import Flow
import FlowTesting
import Foundation
import Synchronization
import Testing

@testable import Pipeline

struct MemoryPressureTests {
  private struct Given: MemoryPressureSource {
    var value: MemoryPressure?
    func pressure() -> MemoryPressure? { value }
  }

  @Test(arguments: [
    (MemoryPressure(stalled: 0), 10), (MemoryPressure(stalled: 12), 5),
    (MemoryPressure(stalled: 50), 0), (MemoryPressure(stalled: 0, used: 0.5), 10),
    (MemoryPressure(stalled: 0, used: 0.92), 5), (MemoryPressure(stalled: 0, used: 0.99), 0),
  ])
  func `the cache keeps less the shorter memory is`(pressure: MemoryPressure, kept: Int) {
    let cache = MemoryCache<Int, Int>(limits: .init(cost: 100))
    for key in 0..<10 { cache.store(key, cost: 1, for: key) }
    cache.relieve(Given(value: pressure))
    #expect(cache.statistics.count == kept)
  }

  @Test func `where pressure can not be known nothing is dropped`() {
    let cache = MemoryCache<Int, Int>(limits: .init(cost: 100))
    cache.store(1, cost: 1, for: 1)
    #expect(cache.relieve(Given(value: nil)) == 1)
    #expect(cache.statistics.count == 1)
  }

  @Test func `the kernel's files are read`() throws {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true)
    func write(_ name: String, _ text: String) throws {
      try text.write(toFile: folder.path + "/" + name, atomically: false, encoding: .utf8)
    }
    let source = KernelMemoryPressure(stallFile: folder.path + "/psi", group: folder.path)
    #expect(source.pressure() == nil)
    try write("psi", "some avg10=12.34 avg60=1.00 avg300=0.00 total=5\nfull avg10=9.00 total=1\n")
    #expect(source.pressure() == MemoryPressure(stalled: 12.34))
    try write("memory.max", "max\n")
    try write("memory.current", "50\n")
    #expect(source.pressure()?.used == nil)
    try write("memory.max", "200\n")
    #expect(source.pressure()?.used == 0.25)
  }
}

/// Pressure that a test sets.
private final class GivenPressure: MemoryPressureSource {
  private let value = Mutex(MemoryPressure(stalled: 0))

  func set(_ stalled: Double) { value.withLock { $0.stalled = stalled } }
  func pressure() -> MemoryPressure? { value.withLock { $0 } }
}

struct MemoryPressureWatchTests {
  @Test func `a watch trims when memory runs short, and ends with its cache`() {
    let scheduler = VirtualScheduler()
    let source = GivenPressure()
    var memory: MemoryCache<String, Int>? = MemoryCache(limits: .init(cost: 1000))
    for key in 0..<10 { memory?.store(key, cost: 10, for: "\(key)") }
    let watch = memory.map {
      MemoryPressureWatch(trimming: $0, source: source, every: .seconds(5), on: scheduler)
    }
    scheduler.advance(by: .seconds(6))
    #expect(memory?.statistics.cost == 100)
    source.set(20)
    scheduler.advance(by: .seconds(5))
    #expect(memory?.statistics.cost == 50)
    source.set(90)
    scheduler.advance(by: .seconds(5))
    #expect(memory?.statistics.cost == 0)
    weak let left = memory
    memory = nil
    #expect(left == nil)
    withExtendedLifetime(watch) {}
  }

  @Test func `a released watch looks no more`() {
    let scheduler = VirtualScheduler()
    let source = GivenPressure()
    let memory = MemoryCache<String, Int>(limits: .init(cost: 1000))
    memory.store(1, cost: 10, for: "a")
    var watch: MemoryPressureWatch? = MemoryPressureWatch(
      trimming: memory, source: source, every: .seconds(5), on: scheduler)
    source.set(90)
    withExtendedLifetime(watch) {}
    watch = nil
    scheduler.advance(by: .seconds(60))
    #expect(memory.statistics.count == 1)
  }
}
