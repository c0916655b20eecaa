/// Puts a colour profile together from a JPEG's APP2 segments.
struct SegmentedProfile {
  private var parts: [Int: [UInt8]] = [:]
  private var count: Int?
  private var isBroken = false

  private static let name = Array("ICC_PROFILE\0".utf8)

  /// Takes a segment; those that are no part of a profile are passed over.
  mutating func take(_ segment: UnsafeRawBufferPointer) {
    guard segment.starts(with: Self.name), segment.count >= Self.name.count + 2 else { return }
    let number = Int(segment[Self.name.count])
    let count = Int(segment[Self.name.count + 1])
    if number < 1 || number > count || self.count ?? count != count { isBroken = true }
    self.count = count
    if parts[number] == nil { parts[number] = Array(segment[(Self.name.count + 2)...]) }
  }

  /// What the segments hold.
  enum Content {
    case none, broken
    case profile([UInt8])
  }

  /// The whole profile, whatever the order its parts came in.
  var content: Content {
    guard let count else { return .none }
    guard !isBroken, parts.count == count else { return .broken }
    let bytes = (1...max(1, count)).flatMap { parts[$0] ?? [] }
    return bytes.isEmpty ? .broken : .profile(bytes)
  }
}
