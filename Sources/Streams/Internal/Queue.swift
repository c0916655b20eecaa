/// First in, first out, in constant time averaged.
@usableFromInline
struct Queue<Element> {
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var head = 0

  @inlinable
  init() {}

  @inlinable
  init(_ all: [Element]) { elements = all }

  @inlinable
  var isEmpty: Bool { head == elements.count }

  @inlinable
  var count: Int { elements.count - head }

  @inlinable
  mutating func append(_ element: Element) { elements.append(element) }

  @inlinable
  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let first = elements[head].take()
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: elements.capacity <= 64)
      head = 0
    } else if head >= 64, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return first
  }

  /// Removes the element `offset` places behind the first.
  @inlinable
  mutating func remove(at offset: Int) -> Element? {
    offset == 0 ? popFirst() : elements.remove(at: head + offset)
  }
}

extension Queue: Sendable where Element: Sendable {}

extension Queue {
  @inlinable
  func contains(where predicate: (Element) -> Bool) -> Bool {
    !isEmpty && elements[head...].contains { $0.map(predicate) ?? false }
  }
}

extension Queue {
  /// The next one to leave.
  @inlinable
  var peek: Element? { isEmpty ? nil : elements[head] }
}
