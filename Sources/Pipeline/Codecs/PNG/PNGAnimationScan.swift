/// What the chunks of an animated PNG have told so far.
struct PNGAnimationScan {
  /// Frames that the animation's header promises.
  private(set) var promisedCount = 0
  /// How often it plays; 0 is for ever.
  private(set) var playCount = 0
  /// Whether the still picture is the first frame too.
  private(set) var includesDefaultImage = false
  private var frames: [PNGFrame] = []
  private var isBroken = false
  private var hasDefaultImage = false

  /// Frames begun.
  var frameCount: Int { frames.count }

  mutating func takeControl(_ data: UnsafeRawBufferPointer) {
    guard data.count >= 8, !hasDefaultImage, promisedCount == 0 else { return }
    promisedCount = Int(data.bigEndian32(at: 0))
    playCount = Int(data.bigEndian32(at: 4))
  }

  mutating func takeFrame(_ data: UnsafeRawBufferPointer, canvas: PixelSize) {
    guard promisedCount > 0, !isBroken else { return }
    // After damage the frames before it are shown, as after an end.
    guard let frame = PNGFrame(data, canvas: canvas) else { return isBroken = true }
    frames.append(frame)
  }

  mutating func takeDefaultImage(_ data: Range<Int>) {
    if !hasDefaultImage { includesDefaultImage = frames.count == 1 }
    hasDefaultImage = true
    if includesDefaultImage, frames.count == 1 { frames[0].data.append(data) }
  }

  /// Takes a frame data chunk, whose data begins with a number.
  mutating func takeData(_ data: Range<Int>) {
    guard !frames.isEmpty, !isBroken, data.count > 4 else { return }
    guard hasDefaultImage, !(includesDefaultImage && frames.count == 1) else { return }
    frames[frames.count - 1].data.append(data.dropFirst(4))
  }

  /// The frames that can be shown: all that have data; without the last while more may come.
  func completeFrames(isEnded: Bool) -> [PNGFrame] {
    let whole =
      isEnded || frames.count == 1 && includesDefaultImage ? frames[...] : frames.dropLast()
    return Array(whole.prefix { !$0.data.isEmpty })
  }
}
