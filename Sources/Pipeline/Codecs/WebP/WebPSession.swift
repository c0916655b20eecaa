/// The decoding of one WebP: a still picture row by row as its bytes come, an animation frame by
/// frame.
final class WebPSession: DecodingSession {
  let cancellation = CancellationFlag()

  private let options: DecodingOptions
  private var bytes = ImageBytes()
  private var scan = WebPScan()
  private var reader: WebPReader?
  private var target: RasterTarget?
  private var isDone = false
  private var decodedByteCount = 0
  private var conversion: (any RowConversion)?
  private var notes: [String] = []
  private var shared: (frames: SequentialFrames<WebPFrameComposer>, orientation: Orientation)?
  private var firstFrame: WebPFirstFrame?
  /// Rows, or frames of an animation, that there were at the last preview.
  private var shownCount = 0

  init(options: DecodingOptions) {
    self.options = options
  }

  func append(_ bytes: ImageBytes) throws(DecodeError) {
    guard !cancellation.isCancelled else { throw .cancelled }
    self.bytes = bytes
    try bytes.withUnsafeBytes { buffer throws(DecodeError) in
      try scan.advance(over: buffer, limits: options.limits)
      try decodeStill(buffer, isComplete: false)
    }
  }

  func preview() -> Bitmap? {
    guard !scan.isAnimated else { return animationPreview() }
    guard let target, target.rowCount > shownCount, let snapshot = target.snapshot()
    else { return nil }
    shownCount = target.rowCount
    do { return try upright(snapshot) } catch { return nil }
  }

  func finish() throws(DecodeError) -> DecodedImage {
    guard !cancellation.isCancelled else { throw .cancelled }
    guard !bytes.isEmpty else { throw .empty }
    guard scan.size != nil else { throw .truncated(.webp) }
    if scan.isAnimated { return try animatedImage() }
    try bytes.withUnsafeBytes { buffer throws(DecodeError) in
      try decodeStill(buffer, isComplete: true)
    }
    guard let target else { throw .truncated(.webp) }
    guard isDone || options.acceptsPartial && target.rowCount > 0 else {
      throw scan.isEnded ? .corrupt(.webp, reason: "rows are missing") : .truncated(.webp)
    }
    let image = DecodedImage(
      bitmap: try upright(target.finish()), format: .webp, orientation: scan.orientation,
      isComplete: isDone, notes: notes)
    return try options.accepted(image)
  }

  /// The orientation stands behind the pixels, so that only the whole picture can be turned.
  private func upright(_ bitmap: Bitmap) throws(DecodeError) -> Bitmap {
    guard options.appliesOrientation else { return bitmap }
    return try bitmap.redrawn(orientation: scan.orientation)
  }
}

// Still pictures.
extension WebPSession {
  private func decodeStill(
    _ buffer: UnsafeRawBufferPointer, isComplete: Bool
  ) throws(DecodeError) {
    guard scan.hasPixels, !scan.isAnimated, !isDone, let size = scan.size else { return }
    // Each call to libwebp's lossless decoder repeats some work, so it is not called for little.
    let step = scan.isLossless ? max(32 << 10, (scan.byteCount ?? 0) / 32) : 1
    let isAll = isComplete || scan.isEnded
    guard isAll || buffer.count - decodedByteCount >= step else { return }
    decodedByteCount = buffer.count
    let reader = try openReader(size: size)
    isDone = try reader.decode(buffer)
  }

  private func openReader(size: PixelSize) throws(DecodeError) -> WebPReader {
    if let reader { return reader }
    conversion = colorConversion()
    let target = try RasterTarget(
      sourceSize: scaledSize(of: size), hasAlpha: scan.hasAlpha,
      conversion: scan.isLossless && !scan.hasAlpha ? OpaqueConversion(conversion) : conversion)
    self.target = target
    let opened = try WebPReader(size: size, target: target)
    reader = opened
    return opened
  }

  /// The smallest size of the same shape that is no smaller than the one asked for.
  private func scaledSize(of size: PixelSize) -> PixelSize {
    guard let target = options.targetSize, target.width > 0, target.height > 0 else { return size }
    var ratio = Self.ratio(size, covering: target)
    if scan.promisesExif, options.appliesOrientation {
      // Whether sides change places is known only later.
      ratio = max(ratio, Self.ratio(size, covering: Orientation.left.turning(target)))
    }
    guard ratio < 1 else { return size }
    return PixelSize(
      width: min(size.width, max(1, Int((Double(size.width) * ratio).rounded(.up)))),
      height: min(size.height, max(1, Int((Double(size.height) * ratio).rounded(.up)))))
  }

  private static func ratio(_ size: PixelSize, covering target: PixelSize) -> Double {
    max(
      Double(target.width) / Double(size.width), Double(target.height) / Double(size.height))
  }

  private func colorConversion() -> (any RowConversion)? {
    guard options.colors == .convertedToSRGB, let profile = scan.profile else { return nil }
    guard let conversion = ColorConversion(profile: profile, kind: .rgb) else {
      notes.append(ColorConversion.brokenProfileNote)
      return nil
    }
    return conversion.changesNothing() ? nil : conversion
  }
}

// Animations.
extension WebPSession {
  func partialAnimation() -> Animation? {
    guard scan.isAnimated, scan.frames.count > 1, options.frames != .firstOnly else { return nil }
    do {
      return try sharedFrames()?.animation(
        delays: scan.frames.map(\.delay), loopCount: scan.playCount, isComplete: false)
    } catch {
      return nil
    }
  }

  /// The first frame, as far as it has come or when more frames have come since this was last asked.
  private func animationPreview() -> Bitmap? {
    if scan.frames.isEmpty { return firstFramePreview() }
    guard scan.frames.count > shownCount else { return nil }
    shownCount = scan.frames.count
    do { return try sharedFrames()?.first } catch { return nil }
  }

  private func firstFramePreview() -> Bitmap? {
    guard let frame = scan.firstFrame, let size = scan.size else { return nil }
    do throws(DecodeError) {
      let opened: WebPFirstFrame
      if let firstFrame {
        opened = firstFrame
      } else {
        opened = try WebPFirstFrame(
          frame, canvasSize: size, conversion: colorConversion(),
          factor: RowShrinker.factor(for: size, covering: options.targetSize))
      }
      firstFrame = opened
      return try bytes.withUnsafeBytes { buffer throws(DecodeError) in
        try opened.preview(of: buffer)
      }
    } catch {
      return nil
    }
  }

  private func animatedImage() throws(DecodeError) -> DecodedImage {
    let isComplete = scan.isEnded
    guard isComplete || options.acceptsPartial, let frames = try sharedFrames() else {
      throw isComplete ? .corrupt(.webp, reason: "it has no frame") : .truncated(.webp)
    }
    let image = try DecodedImage(
      frames: frames, delays: scan.frames.map(\.delay), loopCount: scan.playCount, format: .webp,
      orientation: scan.orientation, loading: options.frames, isComplete: isComplete, notes: notes)
    return try options.accepted(image)
  }

  /// The frames that have come in full, made by the composer that made those of earlier previews.
  private func sharedFrames() throws(DecodeError) -> SequentialFrames<WebPFrameComposer>? {
    guard let size = scan.size, !scan.frames.isEmpty else { return nil }
    let orientation = options.appliesOrientation ? scan.orientation : .up
    if let shared, shared.orientation == orientation {
      shared.frames.extend { $0.extend(to: scan.frames, bytes: bytes) }
      return shared.frames
    }
    let covered = options.targetSize.map(orientation.turning)
    notes = []
    // The composer decodes that frame anew, so that previews change nothing of the image.
    firstFrame = nil
    let made = try SequentialFrames(
      composer: WebPFrameComposer(
        bytes: bytes, frames: scan.frames, size: size, hasAlpha: scan.hasAlpha,
        conversion: colorConversion(), orientation: orientation,
        factor: RowShrinker.factor(for: size, covering: covered)))
    shared = (made, orientation)
    return made
  }
}

/// Makes rows opaque: what a decoder leaves in the fourth byte of a picture without alpha.
private struct OpaqueConversion: RowConversion {
  let other: (any RowConversion)?

  init(_ other: (any RowConversion)?) {
    self.other = other
  }

  func convert(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
    for pixel in 0..<count { pixels[pixel * 4 + 3] = 255 }
    other?.convert(pixels, count: count)
  }
}
