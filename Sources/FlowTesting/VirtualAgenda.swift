/// What a virtual scheduler has to do, and until when.
struct VirtualAgenda: Sendable {
  struct Item: Sendable {
    let date: VirtualTime
    let order: Int
    let id: Int
    let interval: Duration?
    let action: @Sendable () -> Void

    func isBefore(_ other: Item) -> Bool { (date, order) < (other.date, other.order) }
  }

  var now: VirtualTime
  var isRunning = false
  private var items = VirtualHeap()
  private var oneTime = 0
  private var order = 0
  private var target: VirtualTime?
  private var runsAll = false

  init(now: VirtualTime) { self.now = now }

  var count: Int { items.count }

  /// Runs up to `moment`; without one, all that does not repeat.
  mutating func extend(to moment: VirtualTime?) {
    guard let moment else {
      runsAll = true
      return
    }
    target = target.map { max($0, moment) } ?? moment
  }

  mutating func add(
    _ action: @escaping @Sendable () -> Void, at date: VirtualTime, interval: Duration? = nil
  ) -> Int {
    let id = order
    insert(at: date, id: id, interval: interval, action)
    return id
  }

  private mutating func insert(
    at date: VirtualTime, id: Int, interval: Duration?, _ action: @escaping @Sendable () -> Void
  ) {
    let item = Item(
      date: max(date, now), order: order, id: id, interval: interval, action: action)
    order += 1
    if interval == nil { oneTime += 1 }
    items.insert(item)
  }

  mutating func remove(_ id: Int) -> Item? {
    guard let item = items.remove(id) else { return nil }
    if item.interval == nil { oneTime -= 1 }
    return item
  }

  /// The next action that is due, with the clock set to it. Nil ends the run.
  mutating func next() -> (@Sendable () -> Void)? {
    if let item = items.first, isDue(item) {
      items.removeFirst()
      if item.interval == nil { oneTime -= 1 }
      now = item.date
      if let interval = item.interval {
        insert(at: now.advanced(by: interval), id: item.id, interval: interval, item.action)
      }
      return item.action
    }
    if let target { now = max(now, target) }
    target = nil
    runsAll = false
    isRunning = false
    return nil
  }

  private func isDue(_ item: Item) -> Bool {
    if let target, item.date <= target { return true }
    return runsAll && oneTime > 0
  }
}
