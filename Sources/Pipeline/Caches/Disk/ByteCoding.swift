/// Writes integers and texts one after the other, little-endian, texts after their length.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ text: String) {
    append(UInt32(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(raw: some Collection<UInt8>) { bytes.append(contentsOf: raw) }
}

/// Reads what `ByteWriter` wrote; every call answers `nil` once the bytes are at an end.
struct ByteReader {
  private var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value? {
    guard let raw = raw(count: MemoryLayout<Value>.size) else { return nil }
    return Value(littleEndian: raw.loadUnaligned(as: Value.self))
  }

  mutating func text() -> String? {
    guard let length = integer(UInt32.self), let raw = raw(count: Int(length)) else { return nil }
    return String(validating: raw, as: UTF8.self)
  }

  mutating func raw(count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
    return UnsafeRawBufferPointer(rebasing: rest[..<count])
  }
}
