/// Bytes at an address, and how slowly they are sent.
struct ServedPicture: Sendable {
  /// The body.
  let bytes: [UInt8]
  /// As in `Content-Type`.
  let mediaType: String
  /// Parts that the body is sent in, with a pause before each; so that progress can be seen.
  var parts = 24
  /// Milliseconds of each pause.
  var pause = 35

  /// Bytes of one part; at least 1.
  var partSize: Int { max(1, (bytes.count + parts - 1) / parts) }
}
