/// A binary heap: the least element first. Inserting and removing cost O(log n).
struct PriorityHeap<Element: Comparable> {
  private(set) var elements: [Element] = []

  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count }
  var first: Element? { elements.first }

  mutating func insert(_ element: Element) {
    elements.append(element)
    siftUp(from: elements.count - 1)
  }

  mutating func removeFirst() -> Element? {
    guard let last = elements.popLast() else { return nil }
    guard let first = elements.first else { return last }
    elements[0] = last
    siftDown(from: 0)
    return first
  }

  /// Drops what `isStale` says, and orders the rest anew. O(n).
  mutating func removeAll(where isStale: (Element) -> Bool) {
    elements.removeAll(where: isStale)
    for index in stride(from: elements.count / 2 - 1, through: 0, by: -1) {
      siftDown(from: index)
    }
  }

  private mutating func siftUp(from start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard elements[child] < elements[parent] else { return }
      elements.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown(from start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < elements.count {
        if elements[child] < elements[least] { least = child }
      }
      guard least != parent else { return }
      elements.swapAt(least, parent)
      parent = least
    }
  }
}
