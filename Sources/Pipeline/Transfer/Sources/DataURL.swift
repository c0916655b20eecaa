/// Bytes that stand in their own URL: `data:[type][;base64],bytes` (RFC 2397).
enum DataURL {
  /// The bytes of `text`, which begins with `data:`.
  ///
  /// Base64 may be percent-encoded, URL-safe, and lack its padding; blanks in it are skipped.
  /// - Throws: `.invalidURL` when the comma is missing or the bytes are cut short or damaged, and
  ///   `.tooLarge` beyond `limit` bytes.
  static func bytes(of text: String, limit: Int) throws(DownloadError) -> ImageBytes {
    let utf8 = text.utf8
    guard let comma = utf8.firstIndex(of: UInt8(ascii: ",")) else {
      throw .invalidURL(reason: "a data URL has a comma before its bytes")
    }
    let isBase64 = text[..<comma].lowercased().hasSuffix(";base64")
    let start = utf8.index(after: comma)
    let end = utf8[start...].firstIndex(of: UInt8(ascii: "#")) ?? utf8.endIndex
    let plain = try percentDecoded(utf8[start..<end])
    let bytes = isBase64 ? try base64Decoded(plain) : plain
    guard !bytes.isEmpty else { throw .emptyBody }
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    return ImageBytes(bytes)
  }

  private static func percentDecoded(
    _ text: some Sequence<UInt8>
  ) throws(DownloadError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.underestimatedCount)
    var iterator = text.makeIterator()
    while let byte = iterator.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = iterator.next().flatMap(hexDigit),
        let low = iterator.next().flatMap(hexDigit)
      else { throw .invalidURL(reason: "a percent sign lacks its two digits") }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func base64Decoded(_ text: [UInt8]) throws(DownloadError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var digitCount = 0
    var paddingCount = 0
    for byte in text where byte > 32 {
      if byte == UInt8(ascii: "=") {
        paddingCount += 1
        continue
      }
      guard paddingCount == 0, let digit = base64Digit(byte) else {
        throw .invalidURL(reason: "its base64 is damaged")
      }
      bits = bits << 6 | UInt32(digit)
      digitCount += 1
      if digitCount % 4 == 0 {
        bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
        bytes.append(UInt8(truncatingIfNeeded: bits))
      }
    }
    let rest = digitCount % 4
    guard rest != 1, paddingCount == 0 || rest + paddingCount == 4 else {
      throw .invalidURL(reason: "its base64 is cut short")
    }
    if rest == 2 { bytes.append(UInt8(truncatingIfNeeded: bits >> 4)) }
    if rest == 3 {
      bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
    }
    return bytes
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func base64Digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
