/// The frames of an animated image, each composed on the full canvas.
public struct Animation: Sendable {
  /// How long each frame shows, as the file says; a player raises those below 11 ms to 100 ms.
  public let delays: [Duration]
  /// How often the animation plays; 0 is for ever.
  public let loopCount: Int
  /// Whether these are all frames; `false` while the bytes of more may still come.
  public let isComplete: Bool
  /// Bytes of pixels this animation keeps in memory.
  public let residentByteCount: Int
  private let frameSource: @Sendable (Int) throws(DecodeError) -> Bitmap

  /// Number of frames.
  public var frameCount: Int { delays.count }

  /// Describes an animation.
  ///
  /// - Parameters:
  ///   - delays: One a frame; negative ones are taken as none.
  ///   - loopCount: 0 or less is for ever.
  ///   - isComplete: Whether these are all frames.
  ///   - residentByteCount: Bytes of pixels that it keeps in memory.
  ///   - frame: Gives frame `index` (0 up to `delays.count`); may decode on demand; any thread.
  public init(
    delays: [Duration], loopCount: Int, isComplete: Bool = true, residentByteCount: Int,
    frame: @escaping @Sendable (Int) throws(DecodeError) -> Bitmap
  ) {
    self.delays = delays.contains { $0 < .zero } ? delays.map { max($0, .zero) } : delays
    self.loopCount = max(loopCount, 0)
    self.isComplete = isComplete
    self.residentByteCount = residentByteCount
    frameSource = frame
  }

  /// The frame at `index`, from 0; decoding it if need be. Traps beyond `frameCount`.
  public func frame(at index: Int) throws(DecodeError) -> Bitmap {
    precondition(delays.indices.contains(index), "no such frame")
    return try frameSource(index)
  }
}
