/// Why a load gave no image: which stage failed, for which source, and how.
///
/// Cancelling is no failure: a cancelled stream is silent, `async` forms throw `CancellationError`.
public enum LoadError: Error, Sendable, Hashable {
  /// Only the caches were asked, and none has it.
  case cacheLookup(CacheError, source: String)
  /// The bytes could not be had.
  case download(DownloadError, source: String)
  /// The bytes are no picture.
  case decode(DecodeError, source: String)
  /// The pixels could not be changed.
  case transform(TransformError, source: String)
  /// A chain's stages stand in the wrong order, or one is missing.
  case incompleteChain(ChainFault, source: String)

  /// What is wrong with a chain.
  public enum ChainFault: String, Error, Sendable, Hashable {
    /// A request came to the decoder, or to the chain's end.
    case requestNotAnswered = "the request was answered by no stage: put download before decode"
    /// Bytes came to a transform, to the store, or to the chain's end.
    case bytesNotDecoded =
      "the bytes were decoded by no stage: put decode before transform and store"
    /// The chain ended without any event.
    case nothing = "the chain ended without an image: begin it with Load"
  }

  /// The URL, or the key of bytes at hand.
  public var source: String {
    switch self {
    case .cacheLookup(_, let source), .download(_, let source), .decode(_, let source),
      .transform(_, let source), .incompleteChain(_, let source):
      source
    }
  }

  /// Whether the same load may succeed later without a change.
  public var mayHeal: Bool {
    switch self {
    case .download(let error, _): error.mayHeal
    case .cacheLookup(.notCached, _): true
    default: false
    }
  }

  /// Why, in one plain sentence without the source and without full stop.
  public var reason: String {
    switch self {
    case .cacheLookup(let error, _): "\(error)"
    case .download(let error, _): "\(error)"
    case .decode(let error, _): "\(error)"
    case .transform(let error, _): "\(error)"
    case .incompleteChain(let fault, _): fault.rawValue
    }
  }
}

extension LoadError: CustomStringConvertible {
  /// One plain sentence with the source, as it may be shown to a person.
  public var description: String { "\(source): \(reason)" }
}
