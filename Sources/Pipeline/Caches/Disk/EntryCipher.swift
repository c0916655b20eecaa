/// Makes entries unreadable for whoever has the disk but not the secret.
///
/// Key, response and bytes are sealed together; what stays readable is the SHA-256 of the key, which
/// names the file, and the length. Changing the cipher or its secret makes all entries misses.
public protocol EntryCipher: Sendable {
  /// The sealed form of `bytes`. What it throws fails the store.
  func seal(_ bytes: [UInt8]) throws -> [UInt8]
  /// What `seal` was given. What it throws makes the entry a miss, and removes it.
  func open(_ sealed: ImageBytes) throws -> [UInt8]
}

/// What a cipher seals: all that is secret of an entry, in one piece.
struct SealedPayload {
  static func encode(key: [UInt8], metadata: [UInt8], body: ImageBytes) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(UInt32(key.count))
    writer.append(raw: key)
    writer.append(UInt32(metadata.count))
    writer.append(raw: metadata)
    body.withUnsafeBytes { writer.append(raw: $0) }
    return writer.bytes
  }

  /// The entry in an opened payload; `nil` if it is cut short.
  static func decode(_ opened: [UInt8], storedAt: Int64) -> EntryFile.Opened? {
    let all = ImageBytes(opened)
    let ends = all.withUnsafeBytes { bytes -> (key: Int, metadata: Int)? in
      var reader = ByteReader(bytes)
      guard let keyLength = reader.integer(UInt32.self),
        reader.raw(count: Int(keyLength)) != nil,
        let metadataLength = reader.integer(UInt32.self),
        reader.raw(count: Int(metadataLength)) != nil
      else { return nil }
      let keyEnd = 4 + Int(keyLength)
      return (keyEnd, keyEnd + 4 + Int(metadataLength))
    }
    guard let ends else { return nil }
    let entry = DiskEntry(
      bytes: all.part(ends.metadata..<all.count), storedAt: storedAt,
      metadata: all.part((ends.key + 4)..<ends.metadata))
    return EntryFile.Opened(key: all.part(4..<ends.key), entry: entry)
  }
}
