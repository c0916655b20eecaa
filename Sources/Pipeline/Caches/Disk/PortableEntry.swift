/// Entries for tiers of other modules: one run of bytes each, as in the disk tier's files, with the
/// whole key and a checksum in it.
package enum PortableEntry {
  /// The SHA-256 of a key, in hexadecimal digits.
  package static func name(of key: String) -> String {
    EntryName(key: key, variant: "", showsEnding: false).text
  }

  /// The entry; `nil` when the cipher does not seal it, or key and headers are too long.
  package static func encode(
    _ bytes: ImageBytes, response: StoredResponse?, key: String, variant: String,
    cipher: (any EntryCipher)?
  ) -> [UInt8]? {
    let sealed = try? EntryHeader.sealing(
      bytes, key: EntryKey(key, variant).bytes, metadata: ResponseRecord.encode(response),
      cipher: cipher, storedAt: DiskCacheConfiguration.systemTime() / 1_000_000)
    guard let (header, body) = sealed, header.length <= EntryHeader.maximumLength else {
      return nil
    }
    return body.withUnsafeBytes { header.encoded() + $0 }
  }

  /// What an entry holds; `nil` when it is damaged, foreign, or another key's.
  package static func decode(
    _ bytes: ImageBytes, key: String, variant: String, cipher: (any EntryCipher)?
  ) -> DiskEntry? {
    // Why it is of no use makes no difference to those who ask.
    try? EntryFile.entry(in: bytes, key: EntryKey(key, variant), cipher: cipher)
  }
}
