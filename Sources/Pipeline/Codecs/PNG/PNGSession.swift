/// The decoding of one PNG: walks its chunks as they come and feeds libpng those that matter.
/// Frames of an animated one are noted on the way and decoded when they are asked for.
final class PNGSession: DecodingSession {
  let cancellation = CancellationFlag()

  private let options: DecodingOptions
  private var bytes = ImageBytes()
  private var picture: PNGPicture?
  private var offset = 0
  /// Bytes of the data chunk at `offset` that are still to be fed, with its checksum.
  private var dataLeft = 0
  private var ancillaryByteCount = 0
  private var isEnded = false
  private var canvas: PixelSize?
  private var orientation = Orientation.up
  /// The orientation that rows are turned by as they are written.
  private var appliedOrientation = Orientation.up
  private var animation = PNGAnimationScan()
  /// The chunks before the pixels, which every frame's own stream begins with.
  private var preamble: [PNGChunk] = []
  private var flaw: DecodeError?
  private var sharedFrames: SequentialFrames<PNGFrameComposer>?
  private var sharedTraits: FrameTraits?
  private var shownRowCount = 0
  private var shownFrameCount = 1

  /// Bytes between two looks at the cancellation flag.
  private static let pieceByteCount = 64 << 10

  init(options: DecodingOptions) {
    self.options = options
  }

  func append(_ bytes: ImageBytes) throws(DecodeError) {
    self.bytes = bytes
    guard flaw == nil else { return }
    do {
      try bytes.withUnsafeBytes { buffer throws(DecodeError) in try walk(buffer) }
    } catch {
      // Rows that came before the damage may be all that is wanted.
      guard options.acceptsPartial, case .corrupt = error, picture?.hasRows == true
      else { throw error }
      flaw = error
    }
  }

  func preview() -> Bitmap? {
    guard let picture else { return nil }
    let frames = wholeFrames
    do {
      if frames.count > shownFrameCount, let shared = try shared(frames) {
        (shownFrameCount, shownRowCount) = (frames.count, picture.rowsFed)
        return shared.first
      }
    } catch {
      return nil
    }
    guard picture.rowsFed > shownRowCount else { return nil }
    shownRowCount = picture.rowsFed
    return picture.preview()
  }

  func partialAnimation() -> Animation? {
    let frames = wholeFrames
    guard frames.count > 1, options.frames != .firstOnly else { return nil }
    do {
      return try shared(frames)?.animation(
        delays: frames.map(\.delay), loopCount: animation.playCount, isComplete: false)
    } catch {
      return nil
    }
  }

  func finish() throws(DecodeError) -> DecodedImage {
    guard !bytes.isEmpty else { throw .empty }
    guard let picture, picture.header != nil else { throw .truncated(.png) }
    if !picture.isDone, !options.acceptsPartial || !picture.hasRows {
      throw isEnded ? .corrupt(.png, reason: "rows are missing") : .truncated(.png)
    }
    let frames = animation.completeFrames(isEnded: isEnded)
    let isCut = !isEnded && animation.promisedCount > 1 && options.frames != .firstOnly
    if isCut, !options.acceptsPartial { throw .truncated(.png) }
    var notes = picture.notes
    if let flaw { notes.append(flaw.description) }
    let still = try upright(try picture.finish())
    let isWhole = picture.isDone && !isCut
    guard frames.count > 1 || !animation.includesDefaultImage, !frames.isEmpty,
      let shared = try shared(frames)
    else {
      return try options.accepted(
        DecodedImage(
          bitmap: still, format: .png, orientation: orientation, isComplete: isWhole, notes: notes))
    }
    let image = try DecodedImage(
      frames: shared, delays: frames.map(\.delay), loopCount: animation.playCount, format: .png,
      orientation: orientation, loading: options.frames, isComplete: isWhole, notes: notes)
    return try options.accepted(image)
  }

  /// What the frames of an animation are made by, as far as more bytes may change it.
  private struct FrameTraits: Equatable {
    var hasAlpha: Bool
    var orientation: Orientation
  }

  /// The frames before any damage that have come in full.
  private var wholeFrames: [PNGFrame] {
    guard flaw == nil, picture?.isDone == true else { return [] }
    return animation.completeFrames(isEnded: isEnded)
  }

  /// The frames, made by the composer that made those of earlier previews.
  private func shared(
    _ frames: [PNGFrame]
  ) throws(DecodeError) -> SequentialFrames<PNGFrameComposer>? {
    guard let canvas, let picture, let header = picture.header, !frames.isEmpty else { return nil }
    let whole = PixelRectangle(x: 0, y: 0, width: canvas.width, height: canvas.height)
    let clears = frames[0].rectangle != whole || frames.contains { $0.disposal != .keep }
    let traits = FrameTraits(
      hasAlpha: header.hasAlpha || clears,
      orientation: options.appliesOrientation ? orientation : .up)
    if let sharedFrames, sharedTraits == traits {
      sharedFrames.extend { $0.extend(to: frames, bytes: bytes) }
      return sharedFrames
    }
    let composer = PNGFrameComposer(
      bytes: bytes, preamble: preamble, canvas: canvas, hasAlpha: traits.hasAlpha, frames: frames,
      options: options, orientation: traits.orientation)
    let first = animation.includesDefaultImage ? try upright(try picture.finish()) : nil
    let made = try SequentialFrames(composer: composer, first: first)
    (sharedFrames, sharedTraits) = (made, traits)
    return made
  }

  /// Turns a picture whose orientation came after its first rows.
  private func upright(_ bitmap: Bitmap) throws(DecodeError) -> Bitmap {
    guard options.appliesOrientation, orientation != appliedOrientation else { return bitmap }
    return try bitmap.redrawn(orientation: orientation)
  }
}

// The walk over the chunks.
extension PNGSession {
  private func walk(_ buffer: UnsafeRawBufferPointer) throws(DecodeError) {
    if offset == 0 {
      guard buffer.count >= PNGChunk.signature.count else { return }
      offset = PNGChunk.signature.count
    }
    while !isEnded {
      guard !cancellation.isCancelled else { throw .cancelled }
      if dataLeft > 0 {
        let count = min(dataLeft, buffer.count - offset, Self.pieceByteCount)
        guard count > 0 else { return }
        try picture?.feed(UnsafeRawBufferPointer(rebasing: buffer[offset..<(offset + count)]))
        bytes.letGo(from: offset, to: offset + count)
        offset += count
        dataLeft -= count
        continue
      }
      guard let chunk = try PNGChunk.head(at: offset, in: buffer) else { return }
      if chunk.type == PNGChunk.data {
        try beginData(chunk, in: buffer)
      } else {
        try checkLength(of: chunk)
        guard chunk.range.upperBound <= buffer.count else { return }
        try take(chunk, in: buffer)
        offset = chunk.range.upperBound
      }
    }
  }

  private func checkLength(of chunk: PNGChunk) throws(DecodeError) {
    guard chunk.type != PNGChunk.frameData else { return }
    guard ancillaryByteCount + chunk.data.count <= options.limits.ancillaryBytes else {
      throw .tooMuchMetadata(.png, limit: options.limits.ancillaryBytes)
    }
  }

  private func beginData(
    _ chunk: PNGChunk, in buffer: UnsafeRawBufferPointer
  ) throws(DecodeError) {
    if picture == nil {
      guard canvas != nil else { throw .corrupt(.png, reason: "pixels come before the header") }
      appliedOrientation = options.appliesOrientation ? orientation : .up
      let opened = try PNGPicture(
        options: options, orientation: appliedOrientation, trustingChecksums: false)
      try opened.feed(preamble: preamble, of: buffer)
      picture = opened
    }
    let head = chunk.range.lowerBound..<(chunk.range.lowerBound + 8)
    try picture?.feed(UnsafeRawBufferPointer(rebasing: buffer[head]))
    animation.takeDefaultImage(chunk.data)
    offset = head.upperBound
    dataLeft = chunk.data.count + 4
  }

  private func take(_ chunk: PNGChunk, in buffer: UnsafeRawBufferPointer) throws(DecodeError) {
    let data = UnsafeRawBufferPointer(rebasing: buffer[chunk.data])
    guard let canvas else { return try takeHeader(chunk, data) }
    if chunk.type != PNGChunk.frameData { ancillaryByteCount += chunk.data.count }
    switch chunk.type {
    case PNGChunk.end:
      guard picture != nil else { throw .corrupt(.png, reason: "there are no pixels") }
      isEnded = true
    case PNGChunk.exif where orientation == .up:
      orientation = ExifOrientation.readNamed(data) ?? .up
    case PNGChunk.animation:
      animation.takeControl(data)
      try options.limits.check(frames: animation.promisedCount, of: canvas)
    case PNGChunk.frame:
      animation.takeFrame(data, canvas: canvas)
      try options.limits.check(frames: animation.frameCount, of: canvas)
    case PNGChunk.frameData: animation.takeData(chunk.data)
    case _ where picture == nil:
      if !chunk.isAncillary || PNGChunk.meaningful.contains(chunk.type) { preamble.append(chunk) }
    default: break
    }
  }

  private func takeHeader(
    _ chunk: PNGChunk, _ data: UnsafeRawBufferPointer
  ) throws(DecodeError) {
    guard chunk.type == PNGChunk.header, data.count == 13 else {
      throw .corrupt(.png, reason: "it does not begin with a header")
    }
    let (width, height) = (data.bigEndian32(at: 0), data.bigEndian32(at: 4))
    guard (1...0x7FFF_FFFF).contains(width), (1...0x7FFF_FFFF).contains(height) else {
      throw .corrupt(.png, reason: "it has no width or no height")
    }
    let size = PixelSize(width: Int(width), height: Int(height))
    try options.limits.check(size)
    canvas = size
    preamble.append(chunk)
  }
}
