/// A decoder of one format: says whether it takes the bytes, and opens sessions.
///
/// Conform to add a format of your own; register it with `DecoderRegistry`.
public protocol ImageDecoder: Sendable {
  /// What it decodes.
  var format: ImageFormat { get }
  /// The media types that servers are asked for; the format's own, unless implemented.
  var mediaTypes: [String] { get }
  /// Whether bytes that begin so are this decoder's. `prefix` has 16 bytes or all there are.
  func accepts(prefix: [UInt8]) -> Bool
  /// What the header says, without decoding; `nil` while more bytes are needed to know.
  ///
  /// A decoder that does not implement this is never asked for more: probing gives `nil`.
  /// - Throws: `DecodeError` when the bytes can not be a picture of this format.
  func probe(_ bytes: ImageBytes) throws(DecodeError) -> ImageProbe?
  /// Opens a session for one image.
  func makeSession(options: DecodingOptions) -> any DecodingSession
}

extension ImageDecoder {
  /// The format's own.
  public var mediaTypes: [String] { [format.mediaType] }

  /// Knows nothing without decoding.
  public func probe(_ bytes: ImageBytes) throws(DecodeError) -> ImageProbe? { nil }
}

extension DecodingSession {
  /// No animation before the end.
  public func partialAnimation() -> Animation? { nil }

  /// The picture, after the last byte, if it is of the kind that `options` ask for: decoders of
  /// others may not look at that.
  func finishChecked(_ options: DecodingOptions) throws(DecodeError) -> DecodedImage {
    try options.accepted(try finish())
  }
}

/// The decoding of one image, fed with bytes as they come. Used by one thread at a time.
public protocol DecodingSession: AnyObject {
  /// Takes all bytes known so far; each call repeats the former bytes and adds to their end.
  ///
  /// What is decoded already is not decoded again.
  /// - Throws: `DecodeError` when the bytes can not become a picture any more.
  func append(_ bytes: ImageBytes) throws(DecodeError)
  /// The picture so far, rows not yet decoded transparent; `nil` before the first row, and when
  /// nothing has come to it since the last preview. Of an animation, the first frame.
  func preview() -> Bitmap?
  /// The frames that have come in full, as an animation that is not complete; `nil` before the
  /// second frame. It goes on giving its frames, whatever becomes of the session.
  func partialAnimation() -> Animation?
  /// The picture, after the last byte.
  func finish() throws(DecodeError) -> DecodedImage
  /// Set by the owner from any thread to make `append` and `finish` stop with `.cancelled`.
  var cancellation: CancellationFlag { get }
}
