import Foundation
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
