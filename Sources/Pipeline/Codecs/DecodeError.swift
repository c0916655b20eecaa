/// Why bytes did not become pixels.
public enum DecodeError: Error, Sendable, Hashable {
  /// There were no bytes at all.
  case empty
  /// A format that is known but not decoded here, by its name: `AVIF`, `HEIC`, `HTML`, `JSON`.
  case unsupportedFormat(name: String)
  /// Bytes of no known format.
  case unknownFormat
  /// A known format's variant that is not decoded here: `12-bit samples`, `lossless compression`.
  case unsupportedFeature(ImageFormat, name: String)
  /// A still picture where only an animation is of use.
  case notAnimated(ImageFormat)
  /// The bytes ended before the picture did.
  case truncated(ImageFormat)
  /// The bytes break the format's rules; `reason` is one sentence without full stop.
  case corrupt(ImageFormat, reason: String)
  /// The picture is larger than the limits allow; checked before memory is reserved.
  case tooLarge(PixelSize, limit: String)
  /// More frames than the limits allow.
  case tooManyFrames(Int, limit: Int)
  /// More metadata than the limits allow, in bytes.
  case tooMuchMetadata(ImageFormat, limit: Int)
  /// Memory for the pixels could not be had.
  case outOfMemory(byteCount: Int)
  /// The work was cancelled.
  case cancelled
}

extension DecodeError: CustomStringConvertible {
  /// One plain sentence, without full stop.
  public var description: String {
    switch self {
    case .empty: "there are no bytes to decode"
    case .unsupportedFormat(let name): "\(name) is not a format that can be decoded here"
    case .unsupportedFeature(let format, let name): "\(format) with \(name) is not decoded here"
    case .unknownFormat: "the bytes are not an image of a known format"
    case .notAnimated(let format): "the \(format) holds a still picture, no animation"
    case .truncated(let format): "the \(format) data ends before the picture does"
    case .corrupt(let format, let reason): "the \(format) data is damaged: \(reason)"
    case .tooLarge(let size, let limit):
      "the picture has \(size) pixels, over the limit of \(limit)"
    case .tooManyFrames(let count, let limit):
      "the animation has \(count) frames, over the limit of \(limit)"
    case .tooMuchMetadata(let format, let limit):
      "the \(format) has more metadata than the limit of \(limit) bytes"
    case .outOfMemory(let byteCount): "no memory for \(byteCount) bytes of pixels"
    case .cancelled: "decoding was cancelled"
    }
  }
}
