/// Names one transfer of one downloader.
typealias TransferID = UInt64

/// Who waits, who runs, and who is next: the downloader's queue without threads, sockets or clocks.
///
/// A transfer is added, becomes startable, is taken by `next()`, and leaves with `remove`. The most
/// urgent goes first; among equals the oldest (or newest) does. Costs O(log n) an operation.
struct TransferQueueState {
  /// Which of two equally urgent transfers goes first.
  enum Order { case oldestFirst, newestFirst }

  /// What limits the number that run at once.
  struct Limits: Equatable {
    /// Of all hosts together.
    var total = 6
    /// Of one host; `nil` sets no limit.
    var perHost: Int?
    /// Slots that priorities below normal can not take, so that a user's load never waits for a
    /// prefetch. One slot is always open to them.
    var keptFromLowPriorities = 1
  }

  var limits: Limits { didSet { unparkAll() } }
  var order: Order
  private(set) var isSuspended = false
  private(set) var runningCount = 0
  /// Transfers that wait or run.
  var count: Int { entries.count }
  var waitingCount: Int { entries.count - runningCount }

  private var entries: [TransferID: Entry] = [:]
  private var ready = PriorityHeap<Ticket>()
  /// Tickets of hosts that may not start another now.
  private var parked: [String: PriorityHeap<Ticket>] = [:]
  private var runningOfHost: [String: Int] = [:]
  private var runningLowCount = 0
  private var pausedHosts: Set<String> = []
  private var lastNumber = 0
  private var staleCount = 0

  init(limits: Limits = Limits(), order: Order = .oldestFirst) {
    self.limits = limits
    self.order = order
  }

  /// A new transfer waits.
  mutating func add(_ id: TransferID, host: String, priority: LoadPriority) {
    lastNumber += 1
    let number = order == .oldestFirst ? lastNumber : -lastNumber
    entries[id] = Entry(host: host, priority: priority, number: number, isRunning: false)
    ready.insert(Ticket(id: id, priority: priority, number: number))
  }

  /// A transfer ended, or is wanted no more. Unknown ones are ignored.
  mutating func remove(_ id: TransferID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    if entry.isRunning {
      runningCount -= 1
      if entry.priority.isLow { runningLowCount -= 1 }
      let left = runningOfHost[entry.host, default: 1] - 1
      runningOfHost[entry.host] = left == 0 ? nil : left
    } else {
      staleCount += 1
      dropStaleTickets()
    }
    unpark(host: entry.host)
  }

  /// A transfer became more or less urgent. It keeps its place by age.
  mutating func setPriority(_ priority: LoadPriority, of id: TransferID) {
    guard var entry = entries[id], entry.priority != priority else { return }
    if entry.isRunning {
      runningLowCount += (priority.isLow ? 1 : 0) - (entry.priority.isLow ? 1 : 0)
    } else {
      staleCount += 1
      ready.insert(Ticket(id: id, priority: priority, number: entry.number))
    }
    entry.priority = priority
    entries[id] = entry
    unpark(host: entry.host)
  }

  /// Lets nobody start until `resume`. Those that run go on.
  mutating func suspend() { isSuspended = true }
  /// Lets transfers start again.
  mutating func resume() { isSuspended = false }

  /// Lets no transfer of `host` start until `unpause`.
  mutating func pause(host: String) { pausedHosts.insert(host) }

  /// Lets transfers of `host` start again.
  mutating func unpause(host: String) {
    guard pausedHosts.remove(host) != nil, let waiting = parked.removeValue(forKey: host) else {
      return
    }
    for ticket in waiting.elements { ready.insert(ticket) }
  }

  /// The transfer that starts now; it counts as running from here on. `nil` when none may.
  mutating func next() -> TransferID? {
    guard !isSuspended else { return nil }
    while runningCount < limits.total, let ticket = ready.removeFirst() {
      guard var entry = entries[ticket.id], entry.matches(ticket) else {
        staleCount -= 1
        continue
      }
      if entry.priority.isLow, runningLowCount >= lowPrioritySlots {
        ready.insert(ticket)  // All that follow are low too.
        return nil
      }
      guard mayStart(host: entry.host) else {
        parked[entry.host, default: PriorityHeap()].insert(ticket)
        continue
      }
      entry.isRunning = true
      entries[ticket.id] = entry
      runningCount += 1
      if entry.priority.isLow { runningLowCount += 1 }
      runningOfHost[entry.host, default: 0] += 1
      return ticket.id
    }
    return nil
  }

  private var lowPrioritySlots: Int { max(1, limits.total - max(0, limits.keptFromLowPriorities)) }

  private func mayStart(host: String) -> Bool {
    guard !pausedHosts.contains(host) else { return false }
    guard let perHost = limits.perHost else { return true }
    return runningOfHost[host, default: 0] < max(1, perHost)
  }

  /// One of the host's places may have become free: its first waiter competes again.
  private mutating func unpark(host: String) {
    guard !pausedHosts.contains(host), var waiting = parked.removeValue(forKey: host) else {
      return
    }
    while let ticket = waiting.removeFirst() {
      if entries[ticket.id]?.matches(ticket) == true {
        ready.insert(ticket)
        break
      }
      staleCount -= 1
    }
    if !waiting.isEmpty { parked[host] = waiting }
  }

  private mutating func unparkAll() {
    for host in Array(parked.keys) where !pausedHosts.contains(host) {
      for ticket in parked.removeValue(forKey: host)?.elements ?? [] { ready.insert(ticket) }
    }
  }

  /// Tickets of those that left stay in the heaps until they outnumber the living.
  private mutating func dropStaleTickets() {
    guard staleCount > 64, staleCount > entries.count else { return }
    let entries = entries
    func isStale(_ ticket: Ticket) -> Bool { entries[ticket.id]?.matches(ticket) != true }
    ready.removeAll(where: isStale)
    for host in parked.keys {
      parked[host]?.removeAll(where: isStale)
      if parked[host]?.isEmpty == true { parked[host] = nil }
    }
    staleCount = 0
  }

  private struct Entry {
    let host: String
    var priority: LoadPriority
    let number: Int
    var isRunning: Bool

    func matches(_ ticket: Ticket) -> Bool { !isRunning && priority == ticket.priority }
  }

  private struct Ticket: Comparable {
    let id: TransferID
    let priority: LoadPriority
    let number: Int

    static func < (left: Ticket, right: Ticket) -> Bool {
      left.priority != right.priority
        ? left.priority > right.priority : left.number < right.number
    }
  }
}

extension LoadPriority {
  /// Below normal: such loads leave room for others.
  var isLow: Bool { self < .normal }
}
