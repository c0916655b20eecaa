/// A stored response whose server is to be asked whether it still holds.
struct Revalidation: Sendable {
  /// What the server's answer is for.
  enum Purpose: Sendable, Hashable {
    /// The load waits for it: what is stored is delivered if it still holds.
    case answer
    /// What is stored has been delivered: the load goes on with a change only.
    case change
    /// What is stored is the load's answer: the server is asked for the cache's sake.
    case upkeep
  }

  /// What is stored; `nil` if the subscriber has an image that only memory holds.
  let entry: StoredEntry?
  /// Fields that ask whether it still holds.
  let conditions: [HeaderField]
  /// Whether what is stored is delivered when the server is in trouble.
  let mayServeOnError: Bool
  let purpose: Purpose
}

/// A stored response with its bytes and its place in the cache.
struct StoredEntry: Sendable {
  let bytes: ImageBytes
  let response: StoredResponse
  let key: String
  let variant: String
  let cache: any ImageCaching

  /// The bytes, as a load delivers them.
  func encoded(_ verdict: CacheVerdict) -> EncodedImage {
    var encoded = EncodedImage(bytes: bytes, response: response.response, origin: .disk)
    encoded.verdict = verdict
    encoded.times = response
    return encoded
  }

  /// This entry after a 304.
  func confirmed(by notModified: ImageResponse) -> StoredEntry {
    let time = cache.now
    return with(response.updated(by: notModified, requestTime: time, responseTime: time))
  }

  /// The same bytes, come in another response.
  func with(_ response: StoredResponse) -> StoredEntry {
    StoredEntry(bytes: bytes, response: response, key: key, variant: variant, cache: cache)
  }

  /// Writes it to the cache. Blocks. Best effort: without it the server is asked again.
  func write() { try? cache.store(bytes, response: response, forKey: key, variant: variant) }
}
