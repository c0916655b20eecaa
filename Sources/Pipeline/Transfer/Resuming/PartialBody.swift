/// The bytes of a transfer that broke, and what it takes to go on from them.
struct PartialBody: Sendable {
  let bytes: ImageBytes
  /// Names exactly these bytes: a strong `ETag`, or a `Last-Modified` that is old enough.
  let validator: String
  /// Bytes of the whole body.
  let total: Int
  let revision: UInt64

  /// `nil` when the response gives no way to be sure that the rest fits.
  init?(bytes: ImageBytes, head: ResponseHead, total: Int?, revision: UInt64) {
    guard let total, bytes.count > 0, bytes.count < total,
      head.value("content-encoding") == nil, let validator = Self.validator(head)
    else { return nil }
    self.bytes = bytes
    self.validator = validator
    self.total = total
    self.revision = revision
  }

  /// The fields that ask for the rest.
  var fields: [HeaderField] {
    [
      HeaderField(name: "Range", value: "bytes=\(bytes.count)-"),
      HeaderField(name: "If-Range", value: validator),
    ]
  }

  /// Whether a 206 with this head holds exactly the rest.
  func isContinued(by head: ResponseHead) -> Bool {
    guard let range = head.value("content-range").flatMap(ContentRange.init) else { return false }
    if let tag = head.value("etag"), validator.hasPrefix("\""), tag != validator { return false }
    return range.first == bytes.count && range.last == total - 1 && range.total ?? total == total
      && head.value("content-encoding") == nil
  }

  /// RFC 9110, 8.8: weak tags do not promise equal bytes; a date does when it lies a minute back.
  private static func validator(_ head: ResponseHead) -> String? {
    if let tag = head.value("etag") { return tag.hasPrefix("\"") ? tag : nil }
    guard let modified = head.value("last-modified"), let then = HTTPDate.parse(modified),
      let now = head.value("date").flatMap(HTTPDate.parse), now - then >= 60
    else { return nil }
    return modified
  }
}

/// The field `Content-Range: bytes first-last/total`.
struct ContentRange: Equatable {
  let first: Int
  let last: Int
  let total: Int?

  init?(_ text: String) {
    let words = text.split { " -/".contains($0) }
    guard words.count == 4, words[0].lowercased() == "bytes", let first = Int(words[1]),
      let last = Int(words[2]), first <= last
    else { return nil }
    let total = Int(words[3])
    guard words[3] == "*" || total.map({ last < $0 }) == true else { return nil }
    self.first = first
    self.last = last
    self.total = total
  }
}
