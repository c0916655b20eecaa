#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where an image's bytes come from.
public enum ImageSource: Sendable {
  /// `http`, `https`, `file` or `data`.
  case url(URL)
  /// Bytes at hand; `key` names them in caches and errors.
  case bytes(ImageBytes, key: String)
  /// Bytes that code of yours gives when they are wanted.
  case provider(ImageProvider)

  /// The address or key, as it stands in errors and cache keys.
  public var name: String {
    switch self {
    case .url(let url): url.absoluteString
    case .bytes(_, let key): key
    case .provider(let provider): provider.key
    }
  }
}
