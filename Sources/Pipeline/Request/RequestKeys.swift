/// The keys under which loads share work and caches store results.
///
/// They nest: requests with equal image keys have equal decode keys, and those equal transfer keys.
public struct RequestKeys: Sendable, Hashable {
  /// Names the original bytes on disk: the request's `key`, or its source.
  public let original: String
  /// One transfer: where the bytes come from and what is sent to get them.
  public let transfer: TransferKey
  /// One decode: the original and what is asked of the decoder.
  public let decode: String
  /// One image: the decode and its transforms.
  public let image: String

  /// The keys of `request`.
  public init(_ request: ImageRequest) {
    let original = request.key ?? Self.originalKey(of: request)
    self.original = original
    transfer = TransferKey(source: request.source.name, options: request.transfer)
    decode = Self.decodeKey(of: request, original: original)
    image = Self.imageKey(of: request, decode: decode, transforms: request.transforms.map(\.key))
  }

  /// The image key alone, for a look into memory: the others cost more than the look.
  static func image(of request: ImageRequest) -> String {
    let decode = decodeKey(of: request, original: request.key ?? originalKey(of: request))
    guard !request.transforms.isEmpty else { return decode }
    return imageKey(of: request, decode: decode, transforms: request.transforms.map(\.key))
  }

  /// The image key of a decode whose pixels went through `transforms`.
  static func imageKey(
    of request: ImageRequest, decode: String, transforms: [String]
  ) -> String {
    let effective = transforms.filter { !$0.isEmpty }
    guard !effective.isEmpty else { return decode }
    let start = request.transformsAnimations ? [decode, "every frame"] : [decode]
    return (start + effective).joined(separator: separator)
  }

  /// Can not stand in a URL or in a transform's key, so two requests never run into one another.
  static let separator = "\u{1F}"

  /// The source; with header fields or a login of its own, their digest too: what a server shows
  /// to one user must not answer another, and the secrets must not be written to a disk.
  private static func originalKey(of request: ImageRequest) -> String {
    let options = request.transfer
    let name = request.course.name ?? request.source.name
    guard !options.headers.isEmpty || options.credential != nil else { return name }
    // What the others stand for, a cache by the server's words learns from `Vary`.
    let isByVary = request.caching.validity != .immutable
    var parts = digested(options.headers) { !isByVary || identifying.contains($0) }
    switch options.credential {
    case .password(let user, let password): parts += ["password", user, password]
    case .bearer(let token): parts += ["bearer", token]
    case nil: break
    }
    return parts.isEmpty ? name : name + separator + "as " + digest(of: parts)
  }

  /// Fields that say who asks.
  private static let identifying: Set = ["authorization", "cookie", "proxy-authorization"]
  /// Fields that say how caches are to be used, and nothing about the picture.
  private static let aboutCaches: Set = [
    "cache-control", "pragma", "if-match", "if-none-match", "if-modified-since",
    "if-unmodified-since",
  ]

  private static func digested(
    _ headers: [HeaderField], where isIncluded: (String) -> Bool
  ) -> [String] {
    headers.map { (name: $0.name.lowercased(), value: $0.value) }
      .filter { !aboutCaches.contains($0.name) && isIncluded($0.name) }
      .map { "\($0.name):\($0.value)" }.sorted()
  }

  private static func digest(of parts: [String]) -> String {
    let text = Array(parts.joined(separator: separator).utf8)
    return hexadecimal(text.withUnsafeBytes { SHA256.digest($0) })
  }

  private static func decodeKey(of request: ImageRequest, original: String) -> String {
    let options = request.decoding
    var key = original
    if request.caching.validity != .immutable {
      let fields = digested(request.transfer.headers) { !identifying.contains($0) }
      if !fields.isEmpty { key += separator + "asked as " + digest(of: fields) }
    }
    if let size = options.targetSize { key += separator + "size \(size)" }
    if options.frames != .onDemand { key += separator + options.frames.rawValue }
    if options.colors != .convertedToSRGB { key += separator + options.colors.rawValue }
    if options.acceptsPartial { key += separator + "partial" }
    if !options.appliesOrientation { key += separator + "as stored" }
    if options.previews { key += separator + "previews" }
    if options.limits != DecodingLimits() { key += separator + "\(options.limits)" }
    if let scale = request.scale { key += separator + "scale \(scale)" }
    return key
  }
}

/// What makes two transfers one: the same source, asked in the same way by the same user.
public struct TransferKey: Sendable, Hashable {
  /// The URL, or the key of bytes at hand.
  public let source: String
  /// Headers, login, limits and all else that is sent or checked.
  public let options: TransferOptions
}
