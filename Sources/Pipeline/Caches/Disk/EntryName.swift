/// The name of an entry's file, made from its key: 64 digits of the original's, for a variant a dash
/// and 32 of its own, and the ending of the key's path.
struct EntryName: Sendable, Hashable {
  /// Makes eight words of a text's bytes, the first of which chooses the bucket.
  typealias Digest = @Sendable (UnsafeRawBufferPointer) -> SIMD8<UInt32>

  static let maximumLength = 64 + 33 + maximumEnding + 1
  private static let maximumEnding = 8

  private let original: SIMD8<UInt32>
  private let variant: SIMD4<UInt32>?
  private let ending: String

  /// The name for `key`; with a variant, that of an image made from the original under `key`.
  ///
  /// - Parameters:
  ///   - showsEnding: Whether it ends like the key's path.
  ///   - digest: What makes digits of texts.
  init(
    key: String, variant: String, showsEnding: Bool = true,
    digest: Digest = { SHA256.words(of: $0) }
  ) {
    var (key, variant) = (key, variant)
    (original, ending) = key.withUTF8 { key in
      (digest(UnsafeRawBufferPointer(key)), showsEnding ? Self.ending(of: key) : "")
    }
    self.variant =
      variant.isEmpty
      ? nil : variant.withUTF8 { digest(UnsafeRawBufferPointer($0)).lowHalf }
  }

  /// The folder it is in.
  var bucket: Int { Int(original[0] >> 24) }

  /// The name itself.
  var text: String {
    String(unsafeUninitializedCapacity: Self.maximumLength) { write(to: $0, at: 0) }
  }

  /// Whether a file of this bucket is a variant of this original.
  func isVariant(_ file: String) -> Bool {
    file.hasPrefix(EntryName(original: original).text + "-")
  }

  /// Writes the name where there is room for the longest one; where it ends.
  func write(to text: UnsafeMutableBufferPointer<UInt8>, at start: Int) -> Int {
    var end = start
    for word in original.indices { end = writeHexadecimal(original[word], to: text, at: end) }
    if let variant {
      text[end] = UInt8(ascii: "-")
      end += 1
      for word in variant.indices { end = writeHexadecimal(variant[word], to: text, at: end) }
    }
    for byte in ending.utf8 {
      text[end] = byte
      end += 1
    }
    return end
  }

  private init(original: SIMD8<UInt32>) {
    self.original = original
    variant = nil
    ending = ""
  }

  /// `.png` of `http://a/b.PNG?c=d`; empty where the path has no short, plain ending.
  private static func ending(of key: UnsafeBufferPointer<UInt8>) -> String {
    let path = key.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") && $0 > 0x1F }
    let tail = path.suffix(maximumEnding + 1)
    guard let dot = tail.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    let ending = tail[(dot + 1)...]
    guard !ending.isEmpty, ending.allSatisfy(isPlain) else { return "" }
    return String(unsafeUninitializedCapacity: ending.count + 1) { text in
      text[0] = UInt8(ascii: ".")
      // Letters in lower case: digits have that bit already.
      for (offset, byte) in ending.enumerated() { text[offset + 1] = byte | 0x20 }
      return ending.count + 1
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }
}

/// Two digits a byte.
func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
  String(unsafeUninitializedCapacity: bytes.count * 2) { text in
    bytes.reduce(0) { writeHexadecimal($1, to: text, at: $0) }
  }
}

/// Writes the digits of a number; where they end.
func writeHexadecimal(
  _ number: some FixedWidthInteger & UnsignedInteger, to text: UnsafeMutableBufferPointer<UInt8>,
  at start: Int
) -> Int {
  let count = number.bitWidth / 4
  for position in 0..<count {
    let digit = UInt8(truncatingIfNeeded: number >> (4 * (count - 1 - position))) & 15
    text[start + position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
  return start + count
}
