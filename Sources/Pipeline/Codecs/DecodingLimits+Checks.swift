extension DecodingLimits {
  /// No limits, for looking at a header without reserving anything.
  static let none: DecodingLimits = {
    var limits = DecodingLimits()
    limits.pixels = .max
    limits.frames = .max
    limits.framePixels = .max
    limits.ancillaryBytes = .max
    return limits
  }()

  /// Throws `.tooLarge` when a canvas of `size` has more pixels than allowed.
  func check(_ size: PixelSize) throws(DecodeError) {
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    // Beyond the second number, byte counts would not fit an Int.
    guard !overflow, pixels <= self.pixels, pixels <= 1 << 48 else {
      throw .tooLarge(size, limit: "\(self.pixels) pixels")
    }
  }

  /// Throws when `count` frames of `size` are more than allowed.
  func check(frames count: Int, of size: PixelSize) throws(DecodeError) {
    guard count <= frames else { throw .tooManyFrames(count, limit: frames) }
    let (pixels, overflow) = (size.width * size.height).multipliedReportingOverflow(by: count)
    guard !overflow, pixels <= framePixels else {
      throw .tooLarge(size, limit: "\(framePixels) pixels in all frames together")
    }
  }
}
