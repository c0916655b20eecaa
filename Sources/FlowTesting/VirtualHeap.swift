/// The work of a virtual scheduler as a binary heap: what is to run next comes first.
struct VirtualHeap: Sendable {
  typealias Item = VirtualAgenda.Item

  private var items: [Item] = []

  var count: Int { items.count }
  var first: Item? { items.first }

  mutating func insert(_ item: Item) {
    items.append(item)
    rise(items.count - 1)
  }

  mutating func removeFirst() { remove(at: 0) }

  mutating func remove(_ id: Int) -> Item? {
    guard let index = items.firstIndex(where: { $0.id == id }) else { return nil }
    let item = items[index]
    remove(at: index)
    return item
  }

  private mutating func remove(at index: Int) {
    items.swapAt(index, items.count - 1)
    items.removeLast()
    guard index < items.count else { return }
    sink(index)
    rise(index)
  }

  private mutating func rise(_ start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard items[index].isBefore(items[parent]) else { return }
      items.swapAt(index, parent)
      index = parent
    }
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in (2 * index + 1)...(2 * index + 2) where child < items.count {
        if items[child].isBefore(items[least]) { least = child }
      }
      if least == index { return }
      items.swapAt(index, least)
      index = least
    }
  }
}
