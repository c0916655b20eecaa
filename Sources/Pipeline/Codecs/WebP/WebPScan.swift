/// What the chunks of a WebP file have told so far.
struct WebPScan {
  /// Width and height of the canvas, once known.
  private(set) var size: PixelSize?
  /// Whether pixels may be less than opaque, as the header says.
  private(set) var hasAlpha = false
  /// Whether the pixels are lossless.
  private(set) var isLossless = false
  private(set) var isAnimated = false
  /// Whether an EXIF block is announced; it stands behind the pixels.
  private(set) var promisesExif = false
  private(set) var orientation = Orientation.up
  private(set) var profile: [UInt8]?
  /// How often the animation plays; 0 is for ever.
  private(set) var playCount = 0
  /// The frames that have come in full.
  private(set) var frames: [WebPFrame] = []
  /// The first frame, once its header has come.
  private(set) var firstFrame: WebPFrame?
  /// Bytes that the whole file has, as its header says.
  private(set) var byteCount: Int?
  /// Whether the first chunk of pixels has begun: what decides how they are decoded is known.
  private(set) var hasPixels = false
  private var offset = 0
  private var ancillaryByteCount = 0

  /// Whether all chunks have been seen.
  var isEnded: Bool { byteCount.map { offset >= $0 } ?? false }

  /// Goes on over the bytes known by now.
  mutating func advance(
    over bytes: UnsafeRawBufferPointer, limits: DecodingLimits
  ) throws(DecodeError) {
    if byteCount == nil {
      guard bytes.count >= 12 else { return }
      byteCount = bytes.littleEndian32(at: 4) + 8
      offset = 12
    }
    while let end = byteCount, offset + 8 <= min(end, bytes.count) {
      let type = bytes.bigEndian32(at: offset)
      let length = bytes.littleEndian32(at: offset + 4)
      let data = (offset + 8)..<(offset + 8 + length)
      if Self.isPixels(type), !hasPixels {
        guard try readPixelHeader(type, bytes, data, limits: limits) else { return }
      }
      if type == Self.frame, isAnimated, firstFrame == nil, let size {
        guard length < 16 || data.lowerBound + 16 <= bytes.count else { return }
        let head = UnsafeRawBufferPointer(rebasing: bytes[data.lowerBound...].prefix(16))
        if length >= 16 { firstFrame = try WebPFrame(head, at: data, canvas: size) }
      }
      guard data.upperBound <= bytes.count else { return }
      try take(type, UnsafeRawBufferPointer(rebasing: bytes[data]), at: data, limits)
      offset = data.upperBound + length % 2
    }
  }

  private static func isPixels(_ type: UInt32) -> Bool {
    type == lossy || type == lossless || type == alpha || type == frame
  }

  /// Reads the size in the first chunk of pixels, if no chunk before said it.
  private mutating func readPixelHeader(
    _ type: UInt32, _ bytes: UnsafeRawBufferPointer, _ data: Range<Int>, limits: DecodingLimits
  ) throws(DecodeError) -> Bool {
    isLossless = isLossless || type == Self.lossless
    if size == nil {
      let needed = type == Self.lossless ? 5 : 10
      guard bytes.count >= data.lowerBound + needed else { return false }
      let start = data.lowerBound
      if type == Self.lossless {
        guard bytes[start] == 0x2F else { throw .corrupt(.webp, reason: "no lossless header") }
        let bits = bytes.littleEndian32(at: start + 1)
        size = PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
        hasAlpha = bits >> 28 & 1 == 1
      } else if type == Self.lossy {
        guard bytes[start + 3] == 0x9D, bytes[start + 4] == 0x01, bytes[start + 5] == 0x2A else {
          throw .corrupt(.webp, reason: "no lossy header")
        }
        size = PixelSize(
          width: bytes.littleEndian16(at: start + 6) & 0x3FFF,
          height: bytes.littleEndian16(at: start + 8) & 0x3FFF)
      } else {
        throw .corrupt(.webp, reason: "it does not begin with a header")
      }
      if let size { try Self.check(size, limits) }
    }
    // Alpha comes before the pixels it belongs to, which have headers of their own.
    if type != Self.alpha { hasPixels = true }
    if type == Self.alpha { hasAlpha = true }
    return true
  }

  private static func check(_ size: PixelSize, _ limits: DecodingLimits) throws(DecodeError) {
    guard size.width > 0, size.height > 0 else {
      throw .corrupt(.webp, reason: "it has no width or no height")
    }
    try limits.check(size)
  }

  private mutating func take(
    _ type: UInt32, _ data: UnsafeRawBufferPointer, at range: Range<Int>, _ limits: DecodingLimits
  ) throws(DecodeError) {
    if !Self.isPixels(type) {
      ancillaryByteCount += data.count
      guard ancillaryByteCount <= limits.ancillaryBytes else {
        throw .tooMuchMetadata(.webp, limit: limits.ancillaryBytes)
      }
    }
    switch type {
    case Self.extended where data.count >= 10 && size == nil:
      hasAlpha = data[0] & 0x10 != 0
      isAnimated = data[0] & 0x02 != 0
      promisesExif = data[0] & 0x08 != 0
      let canvas = PixelSize(
        width: data.littleEndian32(at: 4) & 0xFF_FFFF + 1,
        height: (data.littleEndian32(at: 6) >> 8) + 1)
      try Self.check(canvas, limits)
      size = canvas
    case Self.colorProfile where profile == nil: profile = Array(data)
    case Self.animation where data.count >= 6: playCount = data.littleEndian16(at: 4)
    case Self.exif: orientation = ExifOrientation.readNamed(data) ?? orientation
    case Self.frame where isAnimated && data.count >= 16:
      guard let size else { return }
      frames.append(try WebPFrame(data, at: range, canvas: size))
      try limits.check(frames: frames.count, of: size)
    default: break
    }
  }

  private static let extended: UInt32 = 0x5650_3858
  private static let lossy: UInt32 = 0x5650_3820
  private static let lossless: UInt32 = 0x5650_384C
  private static let alpha: UInt32 = 0x414C_5048
  private static let frame: UInt32 = 0x414E_4D46
  private static let animation: UInt32 = 0x414E_494D
  private static let colorProfile: UInt32 = 0x4943_4350
  private static let exif: UInt32 = 0x4558_4946
}
