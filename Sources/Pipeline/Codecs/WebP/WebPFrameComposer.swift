private import CWebP

/// Decodes the frames of an animated WebP one after the other and composes them on the canvas, to
/// the same pixels as libwebp's own player, which can not begin before all bytes are there.
final class WebPFrameComposer: FrameComposer {
  private var bytes: ImageBytes
  private var frames: [WebPFrame]
  private let size: PixelSize
  private let hasAlpha: Bool
  private let conversion: (any RowConversion)?
  private let orientation: Orientation
  private let factor: Int
  private var canvas: FrameCanvas?
  private var index = 0
  /// Whether the frame before stood on an empty canvas.
  private var followsKeyFrame = false

  init(
    bytes: ImageBytes, frames: [WebPFrame], size: PixelSize, hasAlpha: Bool,
    conversion: (any RowConversion)?, orientation: Orientation, factor: Int
  ) {
    self.bytes = bytes
    self.frames = frames
    self.size = size
    self.hasAlpha = hasAlpha
    self.conversion = conversion
    self.orientation = orientation
    self.factor = factor
  }

  /// Takes frames that have come since, with the bytes they lie in.
  func extend(to frames: [WebPFrame], bytes: ImageBytes) {
    self.frames = frames
    self.bytes = bytes
  }

  func restart() {
    canvas = nil
    index = 0
  }

  func next() throws(DecodeError) -> Bitmap {
    let canvas = try openCanvas()
    let frame = frames[index]
    let before = index > 0 ? frames[index - 1] : nil
    let (pixels, frameHasAlpha) = try pixels(of: frame)
    let isKeyFrame = isKeyFrame(frame, hasAlpha: frameHasAlpha, after: before)
    if isKeyFrame {
      canvas.clear(PixelRectangle(x: 0, y: 0, width: size.width, height: size.height))
    } else if let before, before.clearsAfter {
      canvas.clear(before.rectangle)
    }
    let cleared = before?.clearsAfter == true ? before?.rectangle : nil
    canvas.draw(
      pixels, at: frame.rectangle, blending: frame.blendsOver && !isKeyFrame, cleared: cleared)
    followsKeyFrame = isKeyFrame
    index += 1
    return try picture(of: canvas)
  }

  private func pixels(
    of frame: WebPFrame
  ) throws(DecodeError) -> (pixels: PixelStorage, hasAlpha: Bool) {
    let pixels = try PixelStorage.reserving(frame.rectangle.width * frame.rectangle.height * 4)
    let hasAlpha = try bytes.withUnsafeBytes { buffer throws(DecodeError) in
      try decode(frame, from: UnsafeRawBufferPointer(rebasing: buffer[frame.data]), to: pixels)
    }
    return (pixels, hasAlpha)
  }

  private func openCanvas() throws(DecodeError) -> FrameCanvas {
    if let canvas { return canvas }
    let opened = try FrameCanvas(size: size)
    canvas = opened
    return opened
  }

  /// Whether nothing that was drawn before shows beside or through the frame.
  private func isKeyFrame(_ frame: WebPFrame, hasAlpha: Bool, after before: WebPFrame?) -> Bool {
    guard let before else { return true }
    if !hasAlpha || !frame.blendsOver, frame.covers(size) { return true }
    return before.clearsAfter && (before.covers(size) || followsKeyFrame)
  }

  /// Decodes a frame's picture; whether it has alpha.
  private func decode(
    _ frame: WebPFrame, from data: UnsafeRawBufferPointer, to pixels: PixelStorage
  ) throws(DecodeError) -> Bool {
    let base = data.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var features = WebPBitstreamFeatures()
    guard WebPGetFeatures(base, data.count, &features) == VP8_STATUS_OK,
      features.width == frame.rectangle.width, features.height == frame.rectangle.height,
      WebPDecodeRGBAInto(
        base, data.count, pixels.pointer, pixels.bytes.count, Int32(frame.rectangle.width * 4))
        != nil
    else { throw .corrupt(.webp, reason: "a frame cannot be decoded") }
    return features.has_alpha != 0
  }

  /// What the canvas shows, as it is wanted: converted, turned, shrunk.
  private func picture(of canvas: FrameCanvas) throws(DecodeError) -> Bitmap {
    let pixels = canvas.pointer(x: 0, y: 0)
    let count = size.width * size.height
    let isOpaque = !hasAlpha && (0..<count).allSatisfy { pixels[$0 * 4 + 3] == 255 }
    let target = try RasterTarget(
      sourceSize: size, hasAlpha: !isOpaque, orientation: orientation, factor: factor,
      conversion: conversion)
    for row in 0..<size.height { target.commitCopy(of: pixels + row * target.stride) }
    return target.finish()
  }
}

extension FrameCanvas {
  /// Draws a frame's pixels as libwebp does. Where the canvas was `cleared` just before, and where
  /// the frame is opaque, its pixels are taken as they are.
  fileprivate func draw(
    _ pixels: PixelStorage, at rectangle: PixelRectangle, blending: Bool,
    cleared: PixelRectangle?
  ) {
    for row in 0..<rectangle.height {
      let y = rectangle.y + row
      let source = pixels.pointer + row * rectangle.width * 4
      let target = pointer(x: rectangle.x, y: y)
      guard blending else {
        target.update(from: source, count: rectangle.width * 4)
        continue
      }
      var taken = 0..<0
      if let cleared, y >= cleared.y, y < cleared.maxY {
        let start = min(max(cleared.x - rectangle.x, 0), rectangle.width)
        taken = start..<max(start, min(cleared.maxX - rectangle.x, rectangle.width))
      }
      for x in 0..<rectangle.width {
        blendPixel(source + x * 4, target + x * 4, isTaken: taken.contains(x))
      }
    }
  }

  private func blendPixel(
    _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, isTaken: Bool
  ) {
    let above = UInt32(source[3])
    if above == 255 || isTaken { return target.update(from: source, count: 4) }
    guard above > 0 else { return }
    // libwebp's own arithmetic, whose rounding others compare with.
    let below = (UInt32(target[3]) * (256 - above)) >> 8
    let both = above + below
    let scale = (1 << 24) / both
    for channel in 0..<3 {
      let sum = UInt32(source[channel]) * above + UInt32(target[channel]) * below
      target[channel] = UInt8(truncatingIfNeeded: (sum &* scale) >> 24)
    }
    target[3] = UInt8(truncatingIfNeeded: both)
  }
}
