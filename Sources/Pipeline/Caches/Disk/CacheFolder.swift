/// Where things are in a cache's folder:
///
/// - `entries/ab/abcd….jpg`: one file an entry, named by the SHA-256 of its key; variants of an
///   original carry its name and, after a dash, one of their own. Both end like the key's path, for
///   people who look. 256 folders, made when first needed.
/// - `temporary/`: files being written, and folders being deleted.
/// - `totals`: how many bytes and entries there are. `lock`, `trimming`: who may change that.
struct CacheFolder: Sendable, Hashable {
  static let bucketCount = 256

  let path: String

  var entries: String { path + "/entries" }
  var temporary: String { path + "/temporary" }
  var totals: String { path + "/totals" }
  var lock: String { path + "/lock" }
  var trimLock: String { path + "/trimming" }

  /// The folder of one bucket, 0 up to `bucketCount`.
  func bucket(_ index: Int) -> String {
    entries + "/" + hexadecimal([UInt8(index)])
  }

  /// Makes what is missing of the folder.
  func make() throws(SystemError) {
    try makeFolder(entries)
    try makeFolder(temporary)
  }

  /// A path in `temporary` that nothing has.
  func newTemporaryPath() -> String {
    temporary + "/" + String(UInt64.random(in: .min ... .max), radix: 16)
  }
}

/// The name of an entry, made from its key.
struct EntryName: Sendable, Hashable {
  let bucket: Int
  let text: String
  private let original: String

  /// The name for `key`; with a variant, that of an image made from the original under `key`.
  ///
  /// - Parameter showsEnding: Whether it ends like the key's path.
  init(key: String, variant: String, showsEnding: Bool = true) {
    let digest = Self.digest(key)
    bucket = Int(digest[0])
    original = hexadecimal(digest)
    text =
      original
      + (variant.isEmpty ? "" : "-" + hexadecimal(Self.digest(variant).prefix(16)))
      + (showsEnding ? Self.ending(of: key) : "")
  }

  /// Whether a file of this bucket is a variant of this original.
  func isVariant(_ file: String) -> Bool { file.hasPrefix(original + "-") }

  /// `.png` of `http://a/b.PNG?c=d`; empty where the path has no short, plain ending.
  private static func ending(of key: String) -> String {
    let path = key.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") && $0 > 0x1F }
    let tail = path.suffix(9)
    guard let dot = tail.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    let ending = tail[tail.index(after: dot)...]
    guard !ending.isEmpty, ending.allSatisfy(isPlain) else { return "" }
    return "." + String(decoding: ending, as: UTF8.self).lowercased()
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }

  private static func digest(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { SHA256.digest(UnsafeRawBufferPointer($0)) }
  }
}

/// Two digits a byte.
func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
  String(unsafeUninitializedCapacity: bytes.count * 2) { text in
    var position = 0
    for byte in bytes {
      text[position] = digit(byte >> 4)
      text[position + 1] = digit(byte & 15)
      position += 2
    }
    return position
  }
}

private func digit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}
