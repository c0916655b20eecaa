/// The decoders at hand, asked from the newest to the oldest; each may decline.
///
/// A value: adding a decoder makes another registry and changes none that is in use.
public struct DecoderRegistry: Sendable {
  /// In the order they are asked.
  public let decoders: [any ImageDecoder]
  /// What to ask servers for, as the field `Accept` says it: the media types of all decoders, any
  /// other picture rather than none, and at last whatever there is, since servers name types wrongly.
  public let accept: String

  /// Makes a registry that asks `decoders` in the order given.
  public init(decoders: [any ImageDecoder]) {
    self.decoders = decoders
    var types: [String] = []
    for type in decoders.flatMap(\.mediaTypes) where !types.contains(type) { types.append(type) }
    accept = (types + ["image/*;q=0.8", "*/*;q=0.5"]).joined(separator: ",")
  }

  /// JPEG, PNG with APNG, GIF, WebP.
  public static let standard = DecoderRegistry(decoders: [
    JPEGDecoder(), PNGDecoder(), GIFDecoder(), WebPDecoder(),
  ])

  /// A registry that asks `decoder` first, then those of this one.
  public func adding(_ decoder: any ImageDecoder) -> DecoderRegistry {
    DecoderRegistry(decoders: [decoder] + decoders)
  }

  /// The first decoder that takes bytes which begin with `prefix`.
  ///
  /// - Parameter prefix: 16 bytes or more, or all there are.
  /// - Throws: `.empty` without bytes; `.unsupportedFormat` by name, or `.unknownFormat`, when all
  ///   decline.
  public func decoder(for prefix: [UInt8]) throws(DecodeError) -> any ImageDecoder {
    if let decoder = decoders.first(where: { $0.accepts(prefix: prefix) }) { return decoder }
    if prefix.isEmpty { throw .empty }
    guard let name = FormatSniffer.refusedFormat(of: prefix) else { throw .unknownFormat }
    throw .unsupportedFormat(name: name)
  }

  /// Decodes complete bytes on the calling thread.
  ///
  /// - Throws: Why the bytes are no picture. Nothing cancels it; open a session for that.
  public func decode(
    _ bytes: ImageBytes, options: DecodingOptions = DecodingOptions()
  ) throws(DecodeError) -> DecodedImage {
    let decoder = try decoder(for: bytes.prefix(FormatSniffer.wantedByteCount))
    let session = decoder.makeSession(options: options)
    try session.append(bytes)
    return try session.finishChecked(options)
  }

  /// What the header of `bytes` says; `nil` while more bytes are needed to know.
  ///
  /// - Throws: Why the bytes are no picture.
  public func probe(_ bytes: ImageBytes) throws(DecodeError) -> ImageProbe? {
    try decoder(for: bytes.prefix(FormatSniffer.wantedByteCount)).probe(bytes)
  }
}
