import Flow

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What to load, and how: a small value whose fields each belong to the stage that reads them.
public struct ImageRequest: Sendable {
  /// Where the bytes come from.
  public var source: ImageSource
  /// How urgent it is; shared work runs at the highest priority of those who wait for it.
  public var priority: LoadPriority
  /// What may be read from and written to the caches.
  public var caching: CachePolicy
  /// Headers, time limits, retries.
  public var transfer: TransferOptions {
    get { transferOptions.value }
    set { transferOptions = .other(newValue) }
  }
  /// Size, frames, previews, limits.
  public var decoding: DecodingOptions
  /// Done to the pixels, in order.
  public var transforms: [any ImageTransform]
  /// Whether the transforms are done to animations, too, frame by frame; they stay as they are
  /// unless this is set.
  public var transformsAnimations = false
  /// Comes first, as a preview, unless the image is in memory; no part of any key.
  public var placeholder: Placeholder?
  /// Takes the place of the source in every cache key when set.
  public var key: String?
  /// Pixels per point; `nil` takes it from `@2x` or `@3x` in the key.
  public var scale: Double?
  private var transferOptions = SentOptions.standard
  /// What the stages have measured on the way here.
  var timeline = LoadMetrics()
  /// What takes the place of `priority` while the load runs.
  var priorities: AnyPublisher<LoadPriority, Never>?
  /// What the stages have found out on the way here.
  var course = LoadCourse()

  /// Asks for the image at `url`.
  public init(_ url: URL) { self.init(.url(url)) }

  /// Asks for the image that `source` gives.
  public init(_ source: ImageSource) {
    self.source = source
    priority = .normal
    caching = CachePolicy()
    decoding = DecodingOptions()
    transforms = []
    key = nil
    scale = nil
  }
}

/// What most requests leave as it is, in one reference: requests are copied with every event.
private enum SentOptions: Sendable {
  case standard
  indirect case other(TransferOptions)

  var value: TransferOptions {
    switch self {
    case .standard: TransferOptions()
    case .other(let options): options
    }
  }
}

extension ImageRequest {
  /// The same request, as urgent as `priorities` says while it is loaded.
  ///
  /// `priority` holds until the first value. What was queued moves up or down at once, be it a
  /// transfer or a decode; what runs goes on. The end of `priorities` leaves the last value.
  public func following(_ priorities: some Publisher<LoadPriority, Never>) -> ImageRequest {
    var request = self
    request.priorities = priorities.eraseToAnyPublisher()
    return request
  }

  /// How urgent it is, now and later.
  var urgency: Urgency { Urgency(now: priority, later: priorities) }
}

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

/// How urgent a load is.
public enum LoadPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// From what nobody waits for to what somebody looks at; `normal` unless said.
  case veryLow, low, normal, high, veryHigh

  /// Whether `left` is less urgent.
  public static func < (left: LoadPriority, right: LoadPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}
