/// Tells formats by their first bytes; names and media types sent along are not trusted.
public enum FormatSniffer {
  /// Bytes after which nothing changes any more: text may begin with blanks and comments.
  public static let wantedByteCount = 512

  /// The format that can be decoded here, or `nil`.
  public static func format(of prefix: [UInt8]) -> ImageFormat? {
    if starts(prefix, with: [0xFF, 0xD8]) { return .jpeg }
    if starts(prefix, with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if starts(prefix, with: "GIF87a") || starts(prefix, with: "GIF89a") { return .gif }
    if starts(prefix, with: "RIFF"), starts(prefix, with: "WEBP", at: 8) { return .webp }
    return nil
  }

  /// The name of a format that is known but not decoded here, or `nil`.
  public static func refusedFormat(of prefix: [UInt8]) -> String? {
    boxFormat(of: prefix)
      ?? signatures.first { starts(prefix, with: $0.bytes) }?.name
      ?? textFormat(of: prefix)
  }

  private static let signatures: [(bytes: [UInt8], name: String)] = [
    (Array("II*\0".utf8), "TIFF"), (Array("MM\0*".utf8), "TIFF"),
    (Array("II+\0".utf8), "TIFF"), (Array("MM\0+".utf8), "TIFF"),
    (Array("BM".utf8), "BMP"), ([0, 0, 1, 0], "ICO"), ([0, 0, 2, 0], "CUR"),
    ([0xFF, 0x0A], "JPEG XL"), ([0xFF, 0x4F, 0xFF, 0x51], "JPEG 2000"),
    (Array("8BPS".utf8), "PSD"), (Array("%PDF-".utf8), "PDF"), (Array("qoif".utf8), "QOI"),
    (Array("farbfeld".utf8), "farbfeld"), (Array("#?RADIANCE".utf8), "Radiance HDR"),
    ([0x76, 0x2F, 0x31, 0x01], "OpenEXR"), (Array("DDS ".utf8), "DDS"),
    ([0x8A, 0x4D, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "MNG"),
    ([0x8B, 0x4A, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "JNG"),
    ([0x1A, 0x45, 0xDF, 0xA3], "Matroska video"), ([0x1F, 0x8B], "gzip"),
    (Array("PK\u{3}\u{4}".utf8), "ZIP"),
  ]

  /// Formats of ISO media boxes: a length, then `ftyp` and a brand; or a signature box.
  private static func boxFormat(of prefix: [UInt8]) -> String? {
    if starts(prefix, with: "JXL \r\n", at: 4) { return "JPEG XL" }
    if starts(prefix, with: "jP  \r\n", at: 4) { return "JPEG 2000" }
    guard starts(prefix, with: "ftyp", at: 4), prefix.count >= 12 else { return nil }
    switch String(decoding: prefix[8..<12], as: UTF8.self) {
    case "avif", "avis": return "AVIF"
    case "heic", "heix", "hevc", "hevx", "heim", "heis", "hevm", "hevs", "mif1", "msf1":
      // The general brands name the real one among the compatible brands that follow.
      let brands = String(decoding: prefix[12..<min(prefix.count, 64)], as: UTF8.self)
      return brands.contains("avif") ? "AVIF" : "HEIC"
    default: return "MP4 video"
    }
  }

  /// Text that servers send in place of pictures.
  private static func textFormat(of prefix: [UInt8]) -> String? {
    var bytes = prefix[...]
    if starts(prefix, with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    let isText = bytes.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) || $0 == 0x1B }
    guard isText, !bytes.isEmpty, let first = firstMark(of: bytes) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    switch first {
    case UInt8(ascii: "<"):
      if text.contains("<svg") { return "SVG" }
      if text.contains("<!doctype html") || text.contains("<html") || text.contains("<head")
        || text.contains("<body")
      {
        return "HTML"
      }
      return text.hasPrefix("<?xml") ? "XML" : "HTML"
    case UInt8(ascii: "{"), UInt8(ascii: "["): return "JSON"
    default: return isPlain(bytes) ? "plain text" : nil
    }
  }

  private static func firstMark(of bytes: ArraySlice<UInt8>) -> UInt8? {
    bytes.first { $0 > 0x20 }
  }

  /// Valid UTF-8, but for a character cut at the end.
  private static func isPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
    (0...min(3, bytes.count - 1)).contains { cut in
      String(validating: bytes.dropLast(cut), as: UTF8.self) != nil
    }
  }

  private static func starts(_ bytes: [UInt8], with mark: String, at offset: Int = 0) -> Bool {
    starts(bytes, with: Array(mark.utf8), at: offset)
  }

  private static func starts(_ bytes: [UInt8], with mark: [UInt8], at offset: Int = 0) -> Bool {
    bytes.dropFirst(offset).starts(with: mark)
  }
}
