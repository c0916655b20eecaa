import Flow

/// Chains of one operator, 1, 2, 3, 5 and 10 deep.
var depthLines: [(name: String, run: (Int, @escaping @Sendable (Int) -> Void) -> [() -> Void])] {
  [
    ("map", mapDepths),
    ("filter", filterDepths),
    ("compactMap", compactMapDepths),
    ("scan", scanDepths),
    ("removeDuplicates", removeDuplicatesDepths),
    ("handleEvents", handleEventsDepths),
    ("prefix", prefixDepths),
    ("dropFirst", dropFirstDepths),
  ]
}

private func mapDepths(
  _ count: Int, _ end: @escaping @Sendable (Int) -> Void
) -> [() -> Void] {
  let f = Opaque.map { $0 &+ 1 }
  let source = (1...count).publisher
  return [
    { _ = source.map(f).sink(receiveValue: end) },
    { _ = source.map(f).map(f).sink(receiveValue: end) },
    { _ = source.map(f).map(f).map(f).sink(receiveValue: end) },
    { _ = source.map(f).map(f).map(f).map(f).map(f).sink(receiveValue: end) },
    {
      _ = source.map(f).map(f).map(f).map(f).map(f).map(f).map(f).map(f).map(f).map(f).sink(
        receiveValue: end)
    },
  ]
}

private func filterDepths(
  _ count: Int, _ end: @escaping @Sendable (Int) -> Void
) -> [() -> Void] {
  let pass = Opaque.filter { $0 > 0 }
  let source = (1...count).publisher
  return [
    { _ = source.filter(pass).sink(receiveValue: end) },
    { _ = source.filter(pass).filter(pass).sink(receiveValue: end) },
    { _ = source.filter(pass).filter(pass).filter(pass).sink(receiveValue: end) },
    {
      _ = source.filter(pass).filter(pass).filter(pass).filter(pass).filter(pass).sink(
        receiveValue: end)
    },
    {
      _ = source.filter(pass).filter(pass).filter(pass).filter(pass).filter(pass).filter(pass)
        .filter(pass).filter(pass).filter(pass).filter(pass).sink(receiveValue: end)
    },
  ]
}

private func compactMapDepths(
  _ count: Int, _ end: @escaping @Sendable (Int) -> Void
) -> [() -> Void] {
  let g: @Sendable (Int) -> Int? = { [f = Opaque.map { $0 &+ 1 }] in f($0) }
  let source = (1...count).publisher
  return [
    { _ = source.compactMap(g).sink(receiveValue: end) },
    { _ = source.compactMap(g).compactMap(g).sink(receiveValue: end) },
    { _ = source.compactMap(g).compactMap(g).compactMap(g).sink(receiveValue: end) },
    {
      _ = source.compactMap(g).compactMap(g).compactMap(g).compactMap(g).compactMap(g).sink(
        receiveValue: end)
    },
    {
      _ = source.compactMap(g).compactMap(g).compactMap(g).compactMap(g).compactMap(g).compactMap(g)
        .compactMap(g).compactMap(g).compactMap(g).compactMap(g).sink(receiveValue: end)
    },
  ]
}

private func scanDepths(
  _ count: Int, _ end: @escaping @Sendable (Int) -> Void
) -> [() -> Void] {
  let second: @Sendable (Int, Int) -> Int = { [f = Opaque.map { $0 &+ 1 }] in f($1) }
  let source = (1...count).publisher
  return [
    { _ = source.scan(0, second).sink(receiveValue: end) },
    { _ = source.scan(0, second).scan(0, second).sink(receiveValue: end) },
    { _ = source.scan(0, second).scan(0, second).scan(0, second).sink(receiveValue: end) },
    {
      _ = source.scan(0, second).scan(0, second).scan(0, second).scan(0, second).scan(0, second)
        .sink(receiveValue: end)
    },
    {
      _ = source.scan(0, second).scan(0, second).scan(0, second).scan(0, second).scan(0, second)
        .scan(0, second).scan(0, second).scan(0, second).scan(0, second).scan(0, second).sink(
          receiveValue: end)
    },
  ]
}

private func removeDuplicatesDepths(
  _ count: Int, _ end: @escaping @Sendable (Int) -> Void
) -> [() -> Void] {
  let source = (1...count).publisher
  return [
    { _ = source.removeDuplicates().sink(receiveValue: end) },
    { _ = source.removeDuplicates().removeDuplicates().sink(receiveValue: end) },
    { _ = source.removeDuplicates().removeDuplicates().removeDuplicates().sink(receiveValue: end) },
    {
      _ = source.removeDuplicates().removeDuplicates().removeDuplicates().removeDuplicates()
        .removeDuplicates().sink(receiveValue: end)
    },
    {
      _ = source.removeDuplicates().removeDuplicates().removeDuplicates().removeDuplicates()
        .removeDuplicates().removeDuplicates().removeDuplicates().removeDuplicates()
        .removeDuplicates().removeDuplicates().sink(receiveValue: end)
    },
  ]
}

private func handleEventsDepths(
  _ count: Int, _ end: @escaping @Sendable (Int) -> Void
) -> [() -> Void] {
  let look = Opaque.sink { _ in }
  let source = (1...count).publisher
  return [
    { _ = source.handleEvents(receiveOutput: look).sink(receiveValue: end) },
    {
      _ = source.handleEvents(receiveOutput: look).handleEvents(receiveOutput: look).sink(
        receiveValue: end)
    },
    {
      _ = source.handleEvents(receiveOutput: look).handleEvents(receiveOutput: look).handleEvents(
        receiveOutput: look
      ).sink(receiveValue: end)
    },
    {
      _ = source.handleEvents(receiveOutput: look).handleEvents(receiveOutput: look).handleEvents(
        receiveOutput: look
      ).handleEvents(receiveOutput: look).handleEvents(receiveOutput: look).sink(receiveValue: end)
    },
    {
      _ = source.handleEvents(receiveOutput: look).handleEvents(receiveOutput: look).handleEvents(
        receiveOutput: look
      ).handleEvents(receiveOutput: look).handleEvents(receiveOutput: look).handleEvents(
        receiveOutput: look
      ).handleEvents(receiveOutput: look).handleEvents(receiveOutput: look).handleEvents(
        receiveOutput: look
      ).handleEvents(receiveOutput: look).sink(receiveValue: end)
    },
  ]
}

private func prefixDepths(
  _ count: Int, _ end: @escaping @Sendable (Int) -> Void
) -> [() -> Void] {
  let many = count
  let source = (1...count).publisher
  return [
    { _ = source.prefix(many).sink(receiveValue: end) },
    { _ = source.prefix(many).prefix(many).sink(receiveValue: end) },
    { _ = source.prefix(many).prefix(many).prefix(many).sink(receiveValue: end) },
    {
      _ = source.prefix(many).prefix(many).prefix(many).prefix(many).prefix(many).sink(
        receiveValue: end)
    },
    {
      _ = source.prefix(many).prefix(many).prefix(many).prefix(many).prefix(many).prefix(many)
        .prefix(many).prefix(many).prefix(many).prefix(many).sink(receiveValue: end)
    },
  ]
}

private func dropFirstDepths(
  _ count: Int, _ end: @escaping @Sendable (Int) -> Void
) -> [() -> Void] {
  let source = (1...count).publisher
  return [
    { _ = source.dropFirst(0).sink(receiveValue: end) },
    { _ = source.dropFirst(0).dropFirst(0).sink(receiveValue: end) },
    { _ = source.dropFirst(0).dropFirst(0).dropFirst(0).sink(receiveValue: end) },
    {
      _ = source.dropFirst(0).dropFirst(0).dropFirst(0).dropFirst(0).dropFirst(0).sink(
        receiveValue: end)
    },
    {
      _ = source.dropFirst(0).dropFirst(0).dropFirst(0).dropFirst(0).dropFirst(0).dropFirst(0)
        .dropFirst(0).dropFirst(0).dropFirst(0).dropFirst(0).sink(receiveValue: end)
    },
  ]
}
