private import CWebP

/// libwebp's animation decoder: gives each frame composed on the canvas, in order.
final class WebPFrameComposer: FrameComposer {
  private let bytes: ImageBytes
  private let decoder: OpaquePointer
  private let size: PixelSize
  private let hasAlpha: Bool
  private let conversion: (any RowConversion)?
  private let orientation: Orientation
  private let factor: Int

  /// Opens the animation in `bytes`, which must hold all of it.
  init(
    bytes: ImageBytes, size: PixelSize, hasAlpha: Bool, conversion: (any RowConversion)?,
    orientation: Orientation, factor: Int
  ) throws(DecodeError) {
    var options = WebPAnimDecoderOptions()
    guard WebPAnimDecoderOptionsInit(&options) != 0 else {
      throw .corrupt(.webp, reason: "libwebp is of another version")
    }
    options.color_mode = MODE_RGBA
    // SAFETY: the bytes stay where they are as long as `bytes` is kept.
    let decoder = bytes.withUnsafeBytes { buffer in
      var data = WebPData(
        bytes: buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), size: buffer.count)
      return WebPAnimDecoderNew(&data, &options)
    }
    guard let decoder else { throw .corrupt(.webp, reason: "its chunks break the format's rules") }
    self.bytes = bytes
    self.decoder = decoder
    self.size = size
    self.hasAlpha = hasAlpha
    self.conversion = conversion
    self.orientation = orientation
    self.factor = factor
  }

  deinit { WebPAnimDecoderDelete(decoder) }

  func restart() {
    WebPAnimDecoderReset(decoder)
  }

  func next() throws(DecodeError) -> Bitmap {
    var pixels: UnsafeMutablePointer<UInt8>?
    var timestamp: Int32 = 0
    guard WebPAnimDecoderGetNext(decoder, &pixels, &timestamp) != 0, let pixels else {
      throw .corrupt(.webp, reason: "a frame cannot be decoded")
    }
    let isOpaque = !hasAlpha && Self.isOpaque(pixels, count: size.width * size.height)
    let target = try RasterTarget(
      sourceSize: size, hasAlpha: !isOpaque, orientation: orientation, factor: factor,
      conversion: conversion)
    for row in 0..<size.height { target.commitCopy(of: pixels + row * target.stride) }
    return target.finish()
  }

  private static func isOpaque(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) -> Bool {
    (0..<count).allSatisfy { pixels[$0 * 4 + 3] == 255 }
  }
}
