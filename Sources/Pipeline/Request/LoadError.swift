/// Why a load gave no image: which stage failed, for which source, and how.
public enum LoadError: Error, Sendable, Hashable {
  /// The caches gave no answer where only they were asked.
  case cacheLookup(CacheError, source: String)
  /// The bytes could not be had.
  case download(DownloadError, source: String)
  /// The bytes are no picture.
  case decode(DecodeError, source: String)
  /// The pixels could not be changed.
  case transform(TransformError, source: String)
  /// The result was to be stored before delivery and could not be.
  case store(CacheError, source: String)
  /// The chain ended without an image: nobody took the event named.
  case incompleteChain(event: String, source: String)
}
