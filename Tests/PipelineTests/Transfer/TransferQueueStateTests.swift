import Testing

@testable import Pipeline

struct TransferQueueStateTests {
  private var queue = TransferQueueState()

  private mutating func add(_ ids: ClosedRange<UInt64>, _ priority: LoadPriority = .normal) {
    for id in ids { queue.add(id, host: "a", priority: priority) }
  }

  private mutating func startAll() -> [TransferID] {
    var started: [TransferID] = []
    while let id = queue.next() { started.append(id) }
    return started
  }

  @Test mutating func `B3: six run at once and the seventh waits`() {
    add(1...8)
    #expect(startAll() == [1, 2, 3, 4, 5, 6])
    #expect(queue.waitingCount == 2)
    queue.remove(3)
    #expect(startAll() == [7])
  }

  @Test mutating func `B4: the limit can be changed`() {
    queue.limits.total = 2
    add(1...8)
    #expect(startAll() == [1, 2])
    queue.limits.total = 3
    #expect(startAll() == [3])
  }

  @Test mutating func `B5: the count is of those that wait and run`() {
    add(1...8)
    _ = startAll()
    #expect(queue.count == 8)
    queue.remove(1)
    queue.remove(8)
    #expect(queue.count == 6)
  }

  @Test mutating func `B2, B41: among equals the oldest goes first`() {
    queue.limits.total = 1
    add(1...3)
    #expect(startAll() == [1])
    queue.remove(1)
    #expect(startAll() == [2])
  }

  @Test mutating func `B39: newest first when asked for`() {
    queue.order = .newestFirst
    queue.limits.total = 1
    add(1...3)
    #expect(startAll() == [3])
    queue.remove(3)
    add(4...4)
    #expect(startAll() == [4])
    queue.remove(4)
    #expect(startAll() == [2])
  }

  @Test mutating func `B40: those that run go on, however new or urgent those are that come`() {
    queue.order = .newestFirst
    queue.limits.total = 1
    add(1...1, .low)
    #expect(startAll() == [1])
    add(2...2, .veryHigh)
    #expect(startAll().isEmpty)
    #expect(queue.runningCount == 1)
    queue.remove(1)
    #expect(startAll() == [2])
  }

  @Test mutating func `B36, B38: the more urgent goes first`() {
    queue.limits.total = 1
    add(1...1, .low)
    add(2...2, .normal)
    add(3...3, .high)
    add(4...4, .veryHigh)
    add(5...5, .veryLow)
    var order: [TransferID] = []
    while let id = queue.next() {
      order.append(id)
      queue.remove(id)
    }
    #expect(order == [4, 3, 2, 1, 5])
  }

  @Test mutating func `one that became urgent while waiting overtakes`() {
    queue.limits.total = 1
    add(1...1)
    _ = startAll()
    add(2...5, .low)
    queue.setPriority(.high, of: 5)
    queue.remove(1)
    #expect(startAll() == [5])
  }

  @Test mutating func `urgency up and down again starts a transfer once`() {
    queue.limits.total = 4
    add(1...1)
    queue.setPriority(.high, of: 1)
    queue.setPriority(.normal, of: 1)
    #expect(startAll() == [1])
    #expect(queue.count == 1)
  }

  @Test mutating func `low priorities leave a slot to others`() {
    add(1...10, .low)
    #expect(startAll().count == 5)
    add(11...11)
    #expect(startAll() == [11])
    queue.remove(1)
    #expect(startAll() == [6])
  }

  @Test mutating func `one slot is always open to low priorities`() {
    queue.limits.total = 1
    add(1...2, .veryLow)
    #expect(startAll() == [1])
  }

  @Test mutating func `a running transfer that became urgent frees a low slot`() {
    queue.limits.total = 3
    add(1...4, .low)
    #expect(startAll() == [1, 2])
    queue.setPriority(.high, of: 1)
    #expect(startAll() == [3])
  }

  @Test mutating func `B26: suspended, those that wait are held, and released by resume`() {
    add(1...1)
    _ = startAll()
    queue.suspend()
    add(2...3)
    #expect(startAll().isEmpty)
    queue.resume()
    #expect(startAll() == [2, 3])
  }

  @Test mutating func `a host's limit holds its own back and nobody else`() {
    queue.limits.perHost = 2
    add(1...4)
    queue.add(5, host: "b", priority: .normal)
    #expect(startAll() == [1, 2, 5])
    queue.remove(2)
    #expect(startAll() == [3])
    queue.remove(4)
    queue.remove(1)
    #expect(startAll().isEmpty)
    #expect(queue.count == 2)
  }

  @Test mutating func `a raised host limit releases those held back`() {
    queue.limits.perHost = 1
    add(1...4)
    #expect(startAll() == [1])
    queue.limits.perHost = nil
    #expect(startAll() == [2, 3, 4])
  }

  @Test mutating func `a paused host waits, in order, until it is let go`() {
    queue.pause(host: "a")
    add(1...3)
    queue.add(4, host: "b", priority: .normal)
    #expect(startAll() == [4])
    queue.remove(2)
    queue.unpause(host: "a")
    #expect(startAll() == [1, 3])
  }

  @Test mutating func `ten thousand cancelled leave nothing behind`() {
    queue.limits.total = 1
    add(1...10_001)
    _ = startAll()
    for id in UInt64(2)...10_001 { queue.remove(id) }
    queue.remove(1)
    #expect(queue.count == 0)
    #expect(startAll().isEmpty)
    add(20_000...20_000)
    #expect(startAll() == [20_000])
  }

  @Test(arguments: [Int.min, -1, 0, 1, Int.max])
  mutating func `whatever is kept from low priorities, one of them may start`(kept: Int) {
    queue.limits = .init(total: .max, perHost: nil, keptFromLowPriorities: kept)
    queue.add(1, host: "h", priority: .veryLow)
    #expect(queue.next() == 1)
  }

  @Test mutating func `any mix of events starts each transfer at most once, within limits`() {
    var random = SystemRandomNumberGenerator()
    queue.limits = .init(total: 5, perHost: 2, keptFromLowPriorities: 1)
    var alive: Set<TransferID> = []
    var started: Set<TransferID> = []
    for id in UInt64(1)...3000 {
      let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
      queue.add(id, host: "\(id % 4)", priority: priority)
      alive.insert(id)
      if let other = alive.randomElement(using: &random) {
        queue.setPriority(LoadPriority.allCases.randomElement(using: &random) ?? .low, of: other)
      }
      while let next = queue.next() {
        #expect(alive.contains(next))
        #expect(started.insert(next).inserted)
      }
      #expect(queue.runningCount <= 5)
      if Bool.random(using: &random), let gone = alive.randomElement(using: &random) {
        alive.remove(gone)
        queue.remove(gone)
      }
      #expect(queue.count == alive.count)
    }
    while let running = started.intersection(alive).first {
      alive.remove(running)
      queue.remove(running)
      while let next = queue.next() { started.insert(next) }
    }
    #expect(alive.isEmpty)
    #expect(queue.count == 0)
  }
}
