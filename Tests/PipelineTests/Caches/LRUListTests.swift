import Testing

@testable import Pipeline

struct LRUListTests {
  /// A key whose hash tells few of them apart, so that they collide.
  struct Key: Hashable {
    let number: Int
    let hashes: Int

    func hash(into hasher: inout Hasher) { hasher.combine(number % hashes) }
  }

  /// The same in the plainest way: latest used first.
  struct Model {
    var entries: [(key: Key, value: Int, cost: Int)] = []

    mutating func remove(_ key: Key) -> Int? {
      entries.firstIndex { $0.key == key }.map { entries.remove(at: $0).value }
    }
    mutating func use(_ key: Key) -> Int? {
      guard let place = entries.firstIndex(where: { $0.key == key }) else { return nil }
      entries.insert(entries.remove(at: place), at: 0)
      return entries[0].value
    }
  }

  @Test(arguments: [1, 7, 1_000])
  func `a list does what a plain array does, whatever hashes collide`(hashes: Int) {
    var list = LRUList<Key, Int>()
    var model = Model()
    var state: UInt64 = 1
    for step in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let key = Key(number: Int(state >> 40) % 120, hashes: hashes)
      switch (state >> 33) % 8 {
      case 0..<3:
        let former = model.remove(key)
        model.entries.insert((key, step, step % 10), at: 0)
        #expect(list.insert(step, cost: step % 10, storedAt: nil, for: key) == former)
      case 3: #expect(list.remove(key)?.value == model.remove(key))
      case 4: #expect(list.removeLeastRecentlyUsed()?.value == model.entries.popLast()?.value)
      default: #expect(list.use(key).flatMap { list.value(at: $0) } == model.use(key))
      }
      #expect(list.count == model.entries.count)
    }
    #expect(list.keys == model.entries.map(\.key) && !list.keys.isEmpty)
    #expect(list.cost == model.entries.reduce(0) { $0 + $1.cost })
  }
}
