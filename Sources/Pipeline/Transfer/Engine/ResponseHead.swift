/// Status line and fields of a response, taken line by line. A new status line starts it afresh:
/// what counts is the last response, after redirects, logins and interim answers.
struct ResponseHead {
  enum Step: Equatable {
    case more
    /// The empty line came.
    case complete
    /// More bytes than the limit.
    case tooLong
  }

  private(set) var status = 0
  private(set) var protocolName = ""
  private(set) var fields: [HeaderField] = []
  /// Whether the empty line has come since the last status line.
  private(set) var isComplete = false
  private var byteCount = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Takes one line with its line end.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Step {
    if line.starts(with: "HTTP/".utf8) {
      byteCount = 0
      isComplete = false
      fields.removeAll(keepingCapacity: true)
      takeStatus(line)
    }
    byteCount += line.count
    guard byteCount <= limit else { return .tooLong }
    var content = line[...]
    while let last = content.last, last == 13 || last == 10 { content.removeLast() }
    guard !content.isEmpty else {
      isComplete = true
      return .complete
    }
    if let colon = content.firstIndex(of: UInt8(ascii: ":")) {
      fields.append(
        HeaderField(
          name: Self.text(UnsafeRawBufferPointer(rebasing: content[..<colon])),
          value: Self.text(Self.trimmed(content[(colon + 1)...]))))
    }
    return .more
  }

  /// The first value of `name`, which is given in lower case.
  func value(_ name: String) -> String? {
    fields.first { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }?.value
  }

  /// The length the server promised, when it is a length of the bytes we get.
  var contentLength: Int? {
    if let coding = value("content-encoding"), coding.lowercased() != "identity" { return nil }
    guard value("transfer-encoding") == nil, let text = value("content-length") else { return nil }
    return Int(text).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// `HTTP/1.1 200 OK`; byte by byte, as each response has one.
  private mutating func takeStatus(_ line: UnsafeRawBufferPointer) {
    let nameEnd = line.firstIndex { $0 <= 32 } ?? line.count
    protocolName = Self.text(UnsafeRawBufferPointer(rebasing: line[..<nameEnd]))
    status = 0
    for byte in line[nameEnd...].drop(while: { $0 == 32 }).prefix(3) {
      guard (48...57).contains(byte) else {
        status = 0
        return
      }
      status = status * 10 + Int(byte - 48)
    }
  }

  private static func trimmed(_ slice: Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer {
    var slice = slice
    while let first = slice.first, first == 32 || first == 9 { slice.removeFirst() }
    while let last = slice.last, last == 32 || last == 9 { slice.removeLast() }
    return UnsafeRawBufferPointer(rebasing: slice)
  }

  /// UTF-8, or Latin-1 when it is none: header fields may hold either.
  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
