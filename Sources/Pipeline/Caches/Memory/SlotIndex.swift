/// Finds slots by the hash of what they hold: open addressing, a place of eight bytes for each.
///
/// Knows no keys; who asks compares them. A look-up touches one line of memory, where a dictionary
/// touches three: with a million entries that is most of its time.
struct SlotIndex {
  /// The hash in the upper half, the slot plus one in the lower; zero where nothing is.
  private var places = ContiguousArray<UInt64>(repeating: 0, count: 16)
  /// Number of slots.
  private(set) var count = 0

  /// The slot with this hash that `isWanted`.
  func find(_ hash: UInt32, where isWanted: (Int) -> Bool) -> Int? {
    var place = Int(hash) & mask
    while places[place] != 0 {
      if Self.hash(places[place]) == hash, isWanted(Self.slot(places[place])) {
        return Self.slot(places[place])
      }
      place = (place + 1) & mask
    }
    return nil
  }

  /// Adds a slot that is not there.
  mutating func insert(_ slot: Int, _ hash: UInt32) {
    if count * 4 >= places.count * 3 { grow() }
    place(UInt64(hash) << 32 | UInt64(UInt32(slot) + 1))
    count += 1
  }

  /// Takes out a slot that is there, and moves those behind it up, so that none is cut off.
  mutating func remove(_ slot: Int, _ hash: UInt32) {
    var empty = Int(hash) & mask
    while Self.slot(places[empty]) != slot { empty = (empty + 1) & mask }
    var next = (empty + 1) & mask
    while places[next] != 0 {
      let home = Int(Self.hash(places[next])) & mask
      if (next - home) & mask >= (next - empty) & mask {
        places[empty] = places[next]
        empty = next
      }
      next = (next + 1) & mask
    }
    places[empty] = 0
    count -= 1
  }

  private var mask: Int { places.count - 1 }

  private mutating func grow() {
    let former = places
    places = ContiguousArray(repeating: 0, count: former.count * 2)
    for entry in former where entry != 0 { place(entry) }
  }

  private mutating func place(_ entry: UInt64) {
    var place = Int(Self.hash(entry)) & mask
    while places[place] != 0 { place = (place + 1) & mask }
    places[place] = entry
  }

  private static func hash(_ entry: UInt64) -> UInt32 { UInt32(entry >> 32) }
  private static func slot(_ entry: UInt64) -> Int { Int(entry & 0xffff_ffff) - 1 }
}
