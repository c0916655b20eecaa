/// The decoding of one GIF: unpacks the first frame as its bytes come, notes where the others are.
final class GIFSession: DecodingSession {
  let cancellation = CancellationFlag()

  private let options: DecodingOptions
  private var bytes = ImageBytes()
  private var scan = GIFScan()
  private var first: GIFPixels?
  private var flaw: DecodeError?
  private var sharedFrames: SequentialFrames<GIFFrameComposer>?
  private var shownPixelCount = 0
  private var shownFrameCount = 1

  init(options: DecodingOptions) {
    self.options = options
  }

  func append(_ bytes: ImageBytes) throws(DecodeError) {
    guard !cancellation.isCancelled else { throw .cancelled }
    self.bytes = bytes
    guard flaw == nil else { return }
    do {
      try bytes.withUnsafeBytes { buffer throws(DecodeError) in
        // What was damaged behind the first frame takes nothing from it.
        var later: DecodeError?
        do throws(DecodeError) {
          try scan.advance(over: buffer, limits: options.limits)
        } catch {
          later = error
        }
        if first == nil, let frame = scan.frames.first { first = try GIFPixels(frame: frame) }
        try first?.advance(over: buffer)
        if let later { throw later }
      }
    } catch {
      guard options.acceptsPartial, case .corrupt = error, first.map({ $0.pixelCount > 0 }) == true
      else { throw error }
      flaw = error
    }
  }

  func preview() -> Bitmap? {
    guard let first, let size = scan.canvas else { return nil }
    do {
      let frames = wholeFrames
      if frames.count > shownFrameCount {
        (shownFrameCount, shownPixelCount) = (frames.count, first.pixelCount)
        return try shared(frames, size: size).first
      }
      guard first.pixelCount > shownPixelCount else { return nil }
      shownPixelCount = first.pixelCount
      let canvas = try FrameCanvas(size: size)
      bytes.withUnsafeBytes { first.draw(on: canvas, size: size, colors: $0) }
      return try canvas.picture(hasAlpha: true).redrawn(orientation: .up, factor: factor(size))
    } catch {
      return nil
    }
  }

  func finish() throws(DecodeError) -> DecodedImage {
    guard !cancellation.isCancelled else { throw .cancelled }
    guard !bytes.isEmpty else { throw .empty }
    let isCut = !scan.isEnded && !(scan.isBetweenBlocks && !scan.frames.isEmpty)
    let frames = try showableFrames(isCut: isCut)
    guard let size = scan.canvas, !frames.isEmpty else {
      throw .corrupt(.gif, reason: "it has no frame")
    }
    let image = try DecodedImage(
      frames: try shared(frames, size: size), delays: frames.map(\.delay),
      loopCount: scan.playCount, format: .gif, orientation: .up, loading: options.frames,
      isComplete: !isCut && flaw == nil && first?.isWhole != false, notes: notes)
    return try options.accepted(image)
  }

  func partialAnimation() -> Animation? {
    let frames = wholeFrames
    guard frames.count > 1, options.frames != .firstOnly, let size = scan.canvas else { return nil }
    do {
      return try shared(frames, size: size).animation(
        delays: frames.map(\.delay), loopCount: scan.playCount, isComplete: false)
    } catch {
      return nil
    }
  }

  /// The frames before any damage that have come in full.
  private var wholeFrames: [GIFFrame] {
    guard flaw == nil, first?.isWhole == true else { return [] }
    return Array(scan.frames.prefix { $0.isComplete })
  }

  /// The frames, made by the composer that made those of earlier previews.
  private func shared(
    _ frames: [GIFFrame], size: PixelSize
  ) throws(DecodeError) -> SequentialFrames<GIFFrameComposer> {
    let hasAlpha = GIFScan.hasAlpha(frames, on: size) || first?.isWhole == false
    if let sharedFrames, sharedFrames.first.hasAlpha == hasAlpha {
      sharedFrames.extend { $0.extend(to: frames, bytes: bytes) }
      return sharedFrames
    }
    let made = try SequentialFrames(
      composer: GIFFrameComposer(
        bytes: bytes, frames: frames, size: size, hasAlpha: hasAlpha, factor: factor(size),
        first: first, acceptsPartial: options.acceptsPartial))
    sharedFrames = made
    return made
  }

  /// All frames that have come in full; the first even if it has not, where that is accepted.
  private func showableFrames(isCut: Bool) throws(DecodeError) -> [GIFFrame] {
    let whole = Array(scan.frames.prefix { $0.isComplete })
    if options.frames == .firstOnly, let frame = whole.first { return [frame] }
    guard isCut else { return whole }
    guard options.acceptsPartial else { throw .truncated(.gif) }
    if whole.isEmpty, let first, first.pixelCount > 0 { return [first.frame] }
    guard !whole.isEmpty else { throw .truncated(.gif) }
    return whole
  }

  private func factor(_ size: PixelSize) -> Int {
    RowShrinker.factor(for: size, covering: options.targetSize)
  }

  private var notes: [String] {
    var notes: [String] = []
    if scan.hasJunk { notes.append("what follows the last frame is no GIF block and was ignored") }
    if first?.isWhole == false { notes.append("the first frame has too few pixels") }
    if let flaw { notes.append(flaw.description) }
    return notes
  }
}
