/// Turns pixels into bytes of one format.
public protocol ImageEncoder: Sendable {
  /// What it writes.
  var format: ImageFormat { get }
  /// Encodes `image` on the calling thread.
  ///
  /// - Throws: `EncodeError`. Nothing cancels it.
  func encode(_ image: DecodedImage) throws(EncodeError) -> ImageBytes
}

extension ImageEncoder {
  /// Encodes a still picture on the calling thread.
  ///
  /// - Throws: `EncodeError`. Nothing cancels it.
  public func encode(_ bitmap: Bitmap) throws(EncodeError) -> ImageBytes {
    try encode(DecodedImage(bitmap: bitmap, format: format))
  }
}

/// Why pixels did not become bytes.
public enum EncodeError: Error, Sendable, Hashable {
  /// The format has no room for a picture of this size.
  case tooLarge(PixelSize, ImageFormat)
  /// No quality makes the picture as small as asked for; `smallest` is what the lowest gave.
  case sizeLimitUnreachable(byteCount: Int, smallest: Int)
  /// An animation without frames.
  case noFrames(ImageFormat)
  /// A frame, counted from 0, of another size than the canvas, which is that of the first frame.
  case unevenFrame(index: Int, PixelSize, canvas: PixelSize)
  /// An animation that lasts longer than the format can say.
  case tooLong(ImageFormat, limit: Duration)
  /// A frame to be encoded could not be decoded.
  case decode(DecodeError)
  /// Memory could not be had.
  case outOfMemory
  /// The library refused; `reason` is one sentence without full stop.
  case failed(ImageFormat, reason: String)
}

extension EncodeError: CustomStringConvertible {
  /// One plain sentence, without full stop.
  public var description: String {
    switch self {
    case .tooLarge(let size, let format): "\(format) has no room for \(size) pixels"
    case .sizeLimitUnreachable(let byteCount, let smallest):
      "the picture needs \(smallest) bytes at the lowest quality, \(byteCount) were allowed"
    case .noFrames(let format): "\(format) could not be written: the animation has no frames"
    case .unevenFrame(let index, let size, let canvas):
      "frame \(index) has \(size) pixels, where the first has \(canvas)"
    case .tooLong(let format, let limit):
      "\(format) has no room for an animation of more than \(limit.components.seconds) seconds"
    case .decode(let error): "a frame could not be decoded: \(error)"
    case .outOfMemory: "no memory for encoding"
    case .failed(let format, let reason): "\(format) could not be written: \(reason)"
    }
  }
}
