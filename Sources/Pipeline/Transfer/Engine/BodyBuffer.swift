/// The body of one transfer: one block of memory that grows by doubling.
///
/// Views of its beginning share the block: appending never touches what a view shows.
struct BodyBuffer {
  private(set) var count = 0
  private var block: ByteBlock?
  private static let smallestCapacity = 16 << 10

  /// Makes room for `capacity` bytes in all. Pages that are not written cost no memory.
  mutating func reserve(_ capacity: Int) {
    guard capacity > block?.bytes.count ?? 0 else { return }
    let larger = ByteBlock(capacity: capacity)
    if let block, count > 0 {
      larger.bytes.copyMemory(from: .init(rebasing: block.bytes[..<count]))
    }
    block = larger
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    let needed = count + bytes.count
    let capacity = block?.bytes.count ?? 0
    if needed > capacity { reserve(max(needed, capacity * 2, Self.smallestCapacity)) }
    guard let block, !bytes.isEmpty else { return }
    UnsafeMutableRawBufferPointer(rebasing: block.bytes[count..<needed]).copyMemory(from: bytes)
    count = needed
  }

  /// Forgets the bytes; views keep theirs.
  mutating func removeAll() {
    block = nil
    count = 0
  }

  /// The bytes so far.
  var view: ImageBytes {
    guard let block else { return ImageBytes() }
    return ImageBytes(owner: block, base: UnsafeRawPointer(block.bytes.baseAddress), count: count)
  }
}
