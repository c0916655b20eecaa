private import CWebP

/// The first frame of an animation, decoded while its bytes come, for those who want previews.
final class WebPFirstFrame {
  private let frame: WebPFrame
  private let canvasSize: PixelSize
  private let conversion: (any RowConversion)?
  private let factor: Int
  private let target: RasterTarget
  private let reader: WebPReader
  private var shownRowCount = 0
  private var isDone = false

  /// A frame whose header has come, on a canvas of which previews are shrunk by `factor`.
  init(
    _ frame: WebPFrame, canvasSize: PixelSize, conversion: (any RowConversion)?, factor: Int
  ) throws(DecodeError) {
    self.frame = frame
    self.canvasSize = canvasSize
    self.conversion = conversion
    self.factor = factor
    let size = PixelSize(width: frame.rectangle.width, height: frame.rectangle.height)
    target = try RasterTarget(sourceSize: size, hasAlpha: true)
    reader = try WebPReader(size: size, target: target)
  }

  /// The canvas with the rows that have come; `nil` when there are no new ones.
  func preview(of bytes: UnsafeRawBufferPointer) throws(DecodeError) -> Bitmap? {
    try advance(over: bytes)
    guard target.rowCount > shownRowCount, let rows = target.snapshot() else { return nil }
    shownRowCount = target.rowCount
    let canvas = try FrameCanvas(size: canvasSize)
    canvas.draw(rows, at: frame.rectangle, blending: false)
    let shown = try RasterTarget(
      sourceSize: canvasSize, hasAlpha: true, factor: factor, conversion: conversion)
    for row in 0..<canvasSize.height { shown.commitCopy(of: canvas.pointer(x: 0, y: row)) }
    return shown.finish()
  }

  private func advance(over bytes: UnsafeRawBufferPointer) throws(DecodeError) {
    let data = frame.data.clamped(to: 0..<bytes.count)
    guard !isDone, !data.isEmpty else { return }
    let picture = UnsafeRawBufferPointer(rebasing: bytes[data])
    guard try hasSize(picture) else { return }
    isDone = try reader.decode(picture)
  }

  /// Whether the picture has told its size; one of another size than the frame is damaged.
  private func hasSize(_ picture: UnsafeRawBufferPointer) throws(DecodeError) -> Bool {
    var features = WebPBitstreamFeatures()
    let status = WebPGetFeatures(
      picture.baseAddress?.assumingMemoryBound(to: UInt8.self), picture.count, &features)
    guard status == VP8_STATUS_OK else { return false }
    guard features.width == frame.rectangle.width, features.height == frame.rectangle.height
    else { throw .corrupt(.webp, reason: "a frame cannot be decoded") }
    return true
  }
}
