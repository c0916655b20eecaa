/// The decoding of one WebP: a still picture row by row as its bytes come, an animation once all
/// have come.
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
    guard let snapshot = target?.snapshot() else { return nil }
    do { return try upright(snapshot) } catch { return nil }
  }

  func finish() throws(DecodeError) -> DecodedImage {
    guard !cancellation.isCancelled else { throw .cancelled }
    guard !bytes.isEmpty else { throw .empty }
    guard let size = scan.size else { throw .truncated(.webp) }
    if scan.isAnimated { return try animatedImage(size: size) }
    try bytes.withUnsafeBytes { buffer throws(DecodeError) in
      try decodeStill(buffer, isComplete: true)
    }
    guard let target else { throw .truncated(.webp) }
    guard isDone || options.acceptsPartial && target.rowCount > 0 else {
      throw scan.isEnded ? .corrupt(.webp, reason: "rows are missing") : .truncated(.webp)
    }
    return DecodedImage(
      bitmap: try upright(target.finish()), format: .webp, orientation: scan.orientation,
      isComplete: isDone, notes: notes)
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
  private func animatedImage(size: PixelSize) throws(DecodeError) -> DecodedImage {
    let isComplete = scan.isEnded
    guard isComplete || options.acceptsPartial, !scan.frames.isEmpty else {
      throw isComplete ? .corrupt(.webp, reason: "it has no frame") : .truncated(.webp)
    }
    let orientation = options.appliesOrientation ? scan.orientation : .up
    let covered = options.targetSize.map(orientation.turning)
    let composer = try WebPFrameComposer(
      bytes: isComplete ? bytes : completeFrames(), size: size, hasAlpha: scan.hasAlpha,
      conversion: colorConversion(), orientation: orientation,
      factor: RowShrinker.factor(for: size, covering: covered))
    return try DecodedImage(
      composer: composer, first: nil, delays: scan.frames.map(\.delay),
      loopCount: scan.playCount, format: .webp, orientation: scan.orientation,
      loading: options.frames, isComplete: isComplete, notes: notes)
  }

  /// The frames that have come in full, as a file of their own.
  private func completeFrames() -> ImageBytes {
    var file = bytes.prefix(scan.frames.last?.end ?? 0)
    let length = UInt32(truncatingIfNeeded: max(0, file.count - 8))
    for index in 0..<4 where file.count > 8 {
      file[4 + index] = UInt8(truncatingIfNeeded: length >> (8 * index))
    }
    return ImageBytes(file)
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
