/// The decoding of one GIF: unpacks the first frame as its bytes come, notes where the others are.
final class GIFSession: DecodingSession {
  let cancellation = CancellationFlag()

  private let options: DecodingOptions
  private var bytes = ImageBytes()
  private var scan = GIFScan()
  private var first: GIFPixels?
  private var flaw: DecodeError?

  init(options: DecodingOptions) {
    self.options = options
  }

  func append(_ bytes: ImageBytes) throws(DecodeError) {
    guard !cancellation.isCancelled else { throw .cancelled }
    self.bytes = bytes
    guard flaw == nil else { return }
    do {
      try bytes.withUnsafeBytes { buffer throws(DecodeError) in
        try scan.advance(over: buffer, limits: options.limits)
        if first == nil, let frame = scan.frames.first { first = try GIFPixels(frame: frame) }
        try first?.advance(over: buffer)
      }
    } catch {
      guard options.acceptsPartial, case .corrupt = error, first?.hasPixels == true
      else { throw error }
      flaw = error
    }
  }

  func preview() -> Bitmap? {
    guard let first, first.hasPixels, let size = scan.canvas else { return nil }
    do {
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
    let composer = GIFFrameComposer(
      bytes: bytes, frames: frames, size: size,
      hasAlpha: GIFScan.hasAlpha(frames, on: size) || first?.isWhole == false,
      factor: factor(size), first: first, acceptsPartial: options.acceptsPartial)
    return try DecodedImage(
      composer: composer, first: nil, delays: frames.map(\.delay), loopCount: scan.playCount,
      format: .gif, orientation: .up, loading: options.frames,
      isComplete: !isCut && flaw == nil && first?.isWhole != false, notes: notes)
  }

  /// All frames that have come in full; the first even if it has not, where that is accepted.
  private func showableFrames(isCut: Bool) throws(DecodeError) -> [GIFFrame] {
    let whole = Array(scan.frames.prefix { $0.isComplete })
    if options.frames == .firstOnly, let frame = whole.first { return [frame] }
    guard isCut else { return whole }
    guard options.acceptsPartial else { throw .truncated(.gif) }
    if whole.isEmpty, let first, first.hasPixels { return [first.frame] }
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
