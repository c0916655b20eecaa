/// The keys under which loads share work and caches store results.
///
/// They nest: what makes a transfer another makes its decode another, and what makes the pixels of a
/// decode others makes another image. Requests that differ only in how a decode is watched
/// (`previews`, `acceptsPartial`) have one image key: their finished pixels are the same.
public struct RequestKeys: Sendable, Hashable {
  /// Names the original bytes on disk: the request's `key`, or its source.
  public let original: String
  /// One transfer: where the bytes come from and what is sent to get them.
  public let transfer: TransferKey
  /// One decode: the original and what is asked of the decoder.
  public let decode: String
  /// One image: the original, what of the decoder's work shows in the pixels, and the transforms.
  public let image: String
  /// The image without its transforms.
  let pixels: String

  /// The keys of `request`.
  public init(_ request: ImageRequest) { self = request.keys }

  /// The keys of a request with these wishes.
  ///
  /// - Parameters:
  ///   - name: Stands for the source in keys of caches.
  ///   - sourceName: The source's own name.
  init(of wishes: RequestWishes.Values, name: String, sourceName: String) {
    let original = wishes.key ?? Self.originalKey(of: wishes, name: name)
    self.original = original
    transfer = TransferKey(source: sourceName, sent: wishes.transfer)
    pixels = Self.pixelsKey(of: wishes, original: original)
    var decode = pixels
    if wishes.decoding.acceptsPartial { decode += Self.separator + "partial" }
    if wishes.decoding.previews { decode += Self.separator + "previews" }
    self.decode = decode
    image = Self.imageKey(
      pixels: pixels, transforms: wishes.transforms.map(\.key),
      everyFrame: wishes.transformsAnimations)
  }

  /// The image key of pixels that went through `transforms`.
  static func imageKey(pixels: String, transforms: [String], everyFrame: Bool) -> String {
    let effective = transforms.filter { !$0.isEmpty }
    guard !effective.isEmpty else { return pixels }
    let start = everyFrame ? [pixels, "every frame"] : [pixels]
    return (start + effective).joined(separator: separator)
  }

  /// Can not stand in a URL or in a transform's key, so two requests never run into one another.
  static let separator = "\u{1F}"

  /// The source; with header fields or a login of its own, their digest too: what a server shows
  /// to one user must not answer another, and the secrets must not be written to a disk.
  private static func originalKey(of wishes: RequestWishes.Values, name: String) -> String {
    guard case .other(let options) = wishes.transfer,
      !options.headers.isEmpty || options.credential != nil
    else { return name }
    // What the others stand for, a cache by the server's words learns from `Vary`.
    let isByVary = wishes.caching.validity != .immutable
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

  private static func pixelsKey(of wishes: RequestWishes.Values, original: String) -> String {
    let options = wishes.decoding
    var key = original
    // Texts that read the same are equal, though their bytes differ: those name two pictures.
    if original.utf8.contains(where: { $0 >= 0x80 }) {
      key += separator + "bytes " + digest(of: [original])
    }
    if wishes.caching.validity != .immutable, case .other(let sent) = wishes.transfer {
      let fields = digested(sent.headers) { !identifying.contains($0) }
      if !fields.isEmpty { key += separator + "asked as " + digest(of: fields) }
    }
    if let size = options.targetSize { key += separator + "size \(size)" }
    if options.frames != .onDemand { key += separator + options.frames.rawValue }
    if options.colors != .convertedToSRGB { key += separator + options.colors.rawValue }
    if !options.appliesOrientation { key += separator + "as stored" }
    if options.limits != DecodingLimits() { key += separator + "\(options.limits)" }
    if let scale = wishes.scale { key += separator + "scale \(scale)" }
    return key
  }
}

/// What makes two transfers one: the same source, asked in the same way by the same user.
public struct TransferKey: Sendable, Hashable {
  /// The URL, or the key of bytes at hand.
  public let source: String
  /// Headers, login, limits and all else that is sent or checked.
  public var options: TransferOptions { sent.options }
  private let sent: SentOptions

  init(source: String, sent: SentOptions) {
    self.source = source
    self.sent = sent
  }
}
