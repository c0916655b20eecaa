/// Decodes the frames of a GIF one after the other and composes them on the canvas.
final class GIFFrameComposer: FrameComposer {
  private var bytes: ImageBytes
  private var frames: [GIFFrame]
  private let size: PixelSize
  private let hasAlpha: Bool
  private let factor: Int
  private let acceptsPartial: Bool
  private var canvas: FrameCanvas?
  private var index = 0
  private var first: GIFPixels?

  /// - Parameters:
  ///   - first: The first frame's pixels, if they are unpacked already.
  ///   - acceptsPartial: Draws what can be read of damaged frames instead of failing.
  init(
    bytes: ImageBytes, frames: [GIFFrame], size: PixelSize, hasAlpha: Bool, factor: Int,
    first: GIFPixels?, acceptsPartial: Bool
  ) {
    self.bytes = bytes
    self.frames = frames
    self.size = size
    self.hasAlpha = hasAlpha
    self.factor = factor
    self.first = first
    self.acceptsPartial = acceptsPartial
  }

  /// Takes frames that have come since, with the bytes they lie in.
  func extend(to frames: [GIFFrame], bytes: ImageBytes) {
    self.frames = frames
    self.bytes = bytes
  }

  func restart() {
    canvas = nil
    index = 0
  }

  private func openCanvas() throws(DecodeError) -> FrameCanvas {
    if let canvas { return canvas }
    let opened = try FrameCanvas(size: size)
    canvas = opened
    return opened
  }

  func next() throws(DecodeError) -> Bitmap {
    let canvas = try openCanvas()
    let frame = frames[index]
    let visible = frame.rectangle.clipped(to: size)
    // What the first frame covered is nothing; restoring that means clearing.
    let disposal: GIFFrame.Disposal =
      index == 0 && frame.disposal == .restore ? .clear : frame.disposal
    if disposal == .restore { try canvas.save(visible) }
    try bytes.withUnsafeBytes { buffer throws(DecodeError) in
      let pixels = try pixels(of: frame, in: buffer)
      pixels.draw(on: canvas, size: size, colors: buffer)
    }
    first = nil
    let composed = try canvas.picture(hasAlpha: hasAlpha).redrawn(orientation: .up, factor: factor)
    switch disposal {
    case .keep: break
    case .clear: canvas.clear(visible)
    case .restore: canvas.restore()
    }
    index += 1
    return composed
  }

  private func pixels(
    of frame: GIFFrame, in buffer: UnsafeRawBufferPointer
  ) throws(DecodeError) -> GIFPixels {
    if index == 0, let first { return first }
    let pixels = try GIFPixels(frame: frame)
    do {
      try pixels.advance(over: buffer)
    } catch {
      guard acceptsPartial else { throw error }
    }
    return pixels
  }
}
