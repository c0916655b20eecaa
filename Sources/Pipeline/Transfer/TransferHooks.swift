#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Code of the user's around a transfer. Each may throw, which ends the load with the error's words.
///
/// Hooks of one name are taken for the same: they decide whether two loads share a transfer.
public struct TransferHooks: Sendable {
  /// Names what the hooks do.
  public var name: String
  /// Changes a request before each attempt; throws to refuse it (`DownloadError.requestRefused`).
  /// Runs on the downloader's thread, so it has to be quick. A copy of the fields is handed in:
  /// nothing leaks into later requests.
  public var modifyRequest: (@Sendable (inout OutgoingRequest) throws -> Void)?
  /// Judges a response before its body (`DownloadError.responseRefused`). On the same thread.
  public var validateResponse: (@Sendable (ImageResponse) throws -> Void)?
  /// Turns the complete body into the image's bytes (`DownloadError.responseRefused`). With it,
  /// no growing bytes are delivered. Runs on a thread of its own.
  public var decryptBody: (@Sendable (ImageBytes, ImageResponse) throws -> ImageBytes)?

  /// Hooks that do nothing yet.
  public init(name: String) { self.name = name }
}

extension TransferHooks: Hashable {
  /// Whether both have the same name.
  public static func == (left: TransferHooks, right: TransferHooks) -> Bool {
    left.name == right.name
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A request as it is about to be sent.
public struct OutgoingRequest: Sendable, Hashable {
  /// Where to; must stay `http` or `https`.
  public var url: URL
  /// All fields: the downloader's and the request's own.
  public var headers: [HeaderField]

  /// The first value of the field `name`, in any case; setting replaces all of them, `nil` removes.
  public subscript(header name: String) -> String? {
    get { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
    set {
      headers.removeAll { $0.name.lowercased() == name.lowercased() }
      if let newValue { headers.append(HeaderField(name: name, value: newValue)) }
    }
  }
}
