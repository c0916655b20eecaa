/// Code of yours that gives an image's bytes: out of an archive, a database, another protocol.
///
/// It is called when nobody else has the image, once for all loads that wait for it.
///
/// ```swift
/// let photo = ImageProvider(key: "archive:42") { try await archive.photo(42) }
/// let loaded = try await pipeline.image(for: ImageRequest(.provider(photo)))
/// ```
public struct ImageProvider: Sendable {
  /// Names the bytes in caches and errors. Providers of one key are taken for the same.
  public let key: String
  /// Hands over what there is, piece by piece, and returns after the last.
  let provide: @Sendable (_ take: Take) async throws -> Void

  /// Takes bytes and the number of those expected in all; throws when there must be no more.
  typealias Take = @Sendable (_ piece: UnsafeRawBufferPointer, _ expected: Int?) throws -> Void

  /// Bytes that come all at once.
  ///
  /// - Parameters:
  ///   - key: Names the bytes in caches and errors.
  ///   - bytes: Runs in a task, cancelled with the last load that waits for it. What it throws ends
  ///     the load: a `DownloadError` as it is, others as `.providerFailed` in words.
  public init(key: String, bytes: @escaping @Sendable () async throws -> ImageBytes) {
    self.key = key
    provide = { take in
      let all = try await bytes()
      try all.withUnsafeBytes { try take($0, all.count) }
    }
  }

  /// Bytes that come piece by piece, and can be decoded as they come.
  ///
  /// - Parameters:
  ///   - key: Names the bytes in caches and errors.
  ///   - expected: Bytes in all, when known: for progress only.
  ///   - pieces: Runs in a task, as does the reading of what it returns, and cancelled with the last
  ///     load that waits for it. Errors end the load as above.
  public init<Pieces: AsyncSequence & SendableMetatype>(
    key: String, expected: Int? = nil, pieces: @escaping @Sendable () async throws -> Pieces
  )
  where
    Pieces.AsyncIterator: SendableMetatype, Pieces.Element: Collection<UInt8> & SendableMetatype
  {
    self.key = key
    provide = { take in
      for try await piece in try await pieces() {
        let taken: Void? = try piece.withContiguousStorageIfAvailable {
          try take(UnsafeRawBufferPointer($0), expected)
        }
        if taken == nil { try Array(piece).withUnsafeBytes { try take($0, expected) } }
      }
    }
  }
}
