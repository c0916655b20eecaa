import Synchronization

/// What a request asks for, in one reference: requests are copied with every event.
final class RequestWishes: Sendable {
  struct Values: Sendable {
    var source: ImageSource
    var priority = LoadPriority.normal
    var caching = CachePolicy()
    var transfer = SentOptions.standard
    var decoding = DecodingOptions()
    var transforms: [any ImageTransform] = []
    var transformsAnimations = false
    var placeholder: Placeholder?
    var key: String?
    var scale: Double?
    /// Values of the user's, by the type of their key.
    var others: [ObjectIdentifier: any Sendable] = [:]
  }

  let values: Values
  /// `values.source.name`.
  let sourceName: String
  private let knownKeys = Mutex<RequestKeys?>(nil)

  init(_ values: Values) {
    self.values = values
    sourceName = values.source.name
  }

  /// The keys, where no rules of a pipeline name the source.
  var keys: RequestKeys {
    if let known = knownKeys.withLock({ $0 }) { return known }
    let keys = RequestKeys(of: values, name: sourceName, sourceName: sourceName)
    knownKeys.withLock { $0 = keys }
    return keys
  }

  /// `keys.image`, without copying the others.
  var imageKey: String {
    if let known = knownKeys.withLock({ $0?.image }) { return known }
    return keys.image
  }

  /// The keys under the name that rules of a pipeline give the source of `request`.
  func keys(of request: ImageRequest) -> RequestKeys {
    RequestKeys(of: values, name: request.course.name ?? sourceName, sourceName: sourceName)
  }
}

/// Options of a transfer; what most requests leave as it is takes no memory.
enum SentOptions: Sendable, Hashable {
  case standard
  indirect case other(TransferOptions)

  init(_ options: TransferOptions) {
    self = options == TransferOptions() ? .standard : .other(options)
  }

  var options: TransferOptions {
    switch self {
    case .standard: TransferOptions()
    case .other(let options): options
    }
  }
}
