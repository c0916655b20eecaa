#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What an entry is stored under, as it stands in the file: a zero byte parts a variant from its
/// original.
struct EntryKey: Sendable {
  let key: String
  let variant: String

  init(_ key: String, _ variant: String) {
    self.key = key
    self.variant = variant
  }

  var bytes: [UInt8] {
    variant.isEmpty ? Array(key.utf8) : Array(key.utf8) + [0] + Array(variant.utf8)
  }

  /// Whether these are its bytes.
  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !variant.isEmpty else { return Self.matches(key, bytes) }
    let length = key.utf8.count
    guard bytes.count > length, bytes[length] == 0 else { return false }
    return Self.matches(key, UnsafeRawBufferPointer(rebasing: bytes[..<length]))
      && Self.matches(variant, UnsafeRawBufferPointer(rebasing: bytes[(length + 1)...]))
  }

  private static func matches(_ text: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var text = text
    return text.withUTF8 { text in
      guard text.count == bytes.count else { return false }
      guard let left = text.baseAddress, let right = bytes.baseAddress else { return true }
      return memcmp(left, right, text.count) == 0
    }
  }
}
