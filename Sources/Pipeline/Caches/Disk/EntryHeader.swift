/// What stands before the bytes of an entry in its file.
///
/// Layout, little-endian: magic (8 bytes), header length (4), key length (4), metadata length (4),
/// flags (4), body length (8), body checksum (8), stored at (8, milliseconds since 1970), checksum
/// of the header with this field zero (8), key, metadata, zeros up to a multiple of 64.
struct EntryHeader: Equatable {
  /// The last byte is the version: files of another one are foreign.
  static let magic: [UInt8] = Array("FlowImg".utf8) + [3]
  static let fixedLength = 56
  /// Keys and metadata longer than this are refused, so that a header is read at once.
  static let maximumLength = 1 << 20
  private static let checksumOffset = 48

  var key: [UInt8]
  var metadata: [UInt8]
  var bodyLength: Int
  var bodyChecksum: UInt64
  var storedAt: Int64

  /// Bytes of the header in the file; the body starts there.
  var length: Int { (Self.fixedLength + key.count + metadata.count + 63) & ~63 }

  /// The header for bytes, and what stands behind it: as they are, or sealed by the cipher with
  /// nothing readable beside them.
  static func sealing(
    _ bytes: ImageBytes, key: [UInt8], metadata: [UInt8], cipher: (any EntryCipher)?,
    storedAt: Int64
  ) throws -> (EntryHeader, ImageBytes) {
    var (body, key, metadata) = (bytes, key, metadata)
    if let cipher {
      let payload = SealedPayload.encode(key: key, metadata: metadata, body: bytes)
      body = ImageBytes(try cipher.seal(payload))
      (key, metadata) = ([], [])
    }
    let header = EntryHeader(
      key: key, metadata: metadata, bodyLength: body.count,
      bodyChecksum: body.withUnsafeBytes { Checksum.of($0) }, storedAt: storedAt)
    return (header, body)
  }

  /// The bytes as they stand in the file.
  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.append(raw: Self.magic)
    writer.append(UInt32(length))
    writer.append(UInt32(key.count))
    writer.append(UInt32(metadata.count))
    writer.append(UInt32(0))
    writer.append(UInt64(bodyLength))
    writer.append(bodyChecksum)
    writer.append(storedAt)
    writer.append(UInt64(0))
    writer.append(raw: key)
    writer.append(raw: metadata)
    writer.append(raw: repeatElement(0, count: length - writer.bytes.count))
    var bytes = writer.bytes
    bytes.withUnsafeMutableBytes { raw in
      let sum = Checksum.of(UnsafeRawBufferPointer(raw))
      raw.storeBytes(of: sum.littleEndian, toByteOffset: Self.checksumOffset, as: UInt64.self)
    }
    return bytes
  }
}

/// A header read in place: where its parts are, nothing copied.
struct EntryLayout {
  /// Bytes of the key.
  let key: Range<Int>
  /// Bytes of the metadata.
  let metadata: Range<Int>
  /// Bytes of the body.
  let body: Range<Int>
  let bodyChecksum: UInt64
  let storedAt: Int64

  /// Reads the header at the start of a whole file; `nil` when it is foreign, damaged, or says
  /// another length than the file has.
  init?(of file: UnsafeRawBufferPointer) {
    var reader = ByteReader(file)
    guard let magic = reader.raw(count: 8), magic.elementsEqual(EntryHeader.magic),
      let headerLength = reader.integer(UInt32.self), let keyLength = reader.integer(UInt32.self),
      let metadataLength = reader.integer(UInt32.self), reader.integer(UInt32.self) == 0,
      let bodyLength = reader.integer(UInt64.self), let sum = reader.integer(UInt64.self),
      let storedAt = reader.integer(Int64.self), let headerSum = reader.integer(UInt64.self)
    else { return nil }
    let keyEnd = EntryHeader.fixedLength + Int(keyLength)
    let metadataEnd = keyEnd + Int(metadataLength)
    let bodyStart = Int(headerLength)
    guard bodyStart >= metadataEnd, bodyStart <= file.count,
      bodyLength == UInt64(file.count - bodyStart),
      Self.sum(ofHeader: UnsafeRawBufferPointer(rebasing: file[..<bodyStart])) == headerSum
    else { return nil }
    key = EntryHeader.fixedLength..<keyEnd
    metadata = keyEnd..<metadataEnd
    body = bodyStart..<file.count
    bodyChecksum = sum
    self.storedAt = storedAt
  }

  private static func sum(ofHeader bytes: UnsafeRawBufferPointer) -> UInt64 {
    withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 8) { copy in
      copy.copyMemory(from: bytes)
      copy.storeBytes(of: 0, toByteOffset: 48, as: UInt64.self)
      return Checksum.of(UnsafeRawBufferPointer(copy))
    }
  }
}
