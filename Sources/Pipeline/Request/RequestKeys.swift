/// The keys under which loads share work and caches store results.
///
/// They nest: requests with equal image keys have equal decode keys, and those equal transfer keys.
public struct RequestKeys: Sendable, Hashable {
  /// Names the original bytes on disk: the request's `key`, or its source.
  public let original: String
  /// One transfer: where the bytes come from and what is sent to get them.
  public let transfer: String
  /// One decode: the original and what is asked of the decoder.
  public let decode: String
  /// One image: the decode and its transforms.
  public let image: String

  /// The keys of `request`.
  public init(_ request: ImageRequest) {
    let original = request.key ?? request.source.name
    self.original = original
    transfer = Self.transferKey(of: request)
    decode = Self.decodeKey(of: request, original: original)
    image = Self.imageKey(decode: decode, transforms: request.transforms.map(\.key))
  }

  /// The image key of a decode whose pixels went through `transforms`.
  static func imageKey(decode: String, transforms: [String]) -> String {
    transforms.reduce(decode) { key, transform in
      transform.isEmpty ? key : key + Self.separator + transform
    }
  }

  /// Can not stand in a URL or in a transform's key, so two requests never run into one another.
  private static let separator = "\u{1F}"

  private static func transferKey(of request: ImageRequest) -> String {
    let options = request.transfer
    let fields = options.headers.map { "\($0.name.lowercased()):\($0.value)" }.sorted()
    let limits =
      "\(options.idleTimeout)\(options.connectTimeout)\(options.deadline, default: "-")"
      + "\(options.maximumBodySize)"
    return ([request.source.name, limits] + fields).joined(separator: separator)
  }

  private static func decodeKey(of request: ImageRequest, original: String) -> String {
    let options = request.decoding
    var key = original
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
