/// The keys under which loads share work and caches store results.
///
/// They nest: requests with equal image keys have equal decode keys, and those equal transfer keys.
public struct RequestKeys: Sendable, Hashable {
  /// One transfer: where the bytes come from and what is sent to get them.
  public let transfer: String
  /// One decode: the transfer and what is asked of the decoder.
  public let decode: String
  /// One image: the decode and the transforms.
  public let image: String
  /// Names the original bytes on disk.
  public let original: String
}
