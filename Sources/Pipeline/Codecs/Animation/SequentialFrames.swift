import Synchronization

/// Frames on demand from a composer that can only go forward: keeps those made last, goes on for a
/// later one, starts again for an earlier one. All who play the animation share them, also those
/// who began while its bytes were still coming.
// SAFETY: the composer is used under the lock alone.
final class SequentialFrames<Composer: FrameComposer>: @unchecked Sendable {
  private struct State {
    var nextIndex = 0
    var kept: [(index: Int, bitmap: Bitmap)] = []
  }

  /// The first frame, which is always at hand.
  let first: Bitmap
  private let composer: Composer
  private let state = Mutex(State())
  private let keptCount: Int

  /// Takes over a composer that has made no frame yet.
  ///
  /// - Parameter first: The first frame, if it is at hand; else the composer makes it now.
  init(composer: Composer, first: Bitmap? = nil) throws(DecodeError) {
    self.composer = composer
    let made: Bitmap
    if let first { made = first } else { made = try composer.next() }
    self.first = made
    // The first is kept besides these.
    keptCount = max(2, keptByteLimit / made.byteCount - 1)
    state.withLock { $0.nextIndex = first == nil ? 1 : 0 }
  }

  /// Lets `body` tell the composer of frames that have come meanwhile.
  func extend(_ body: (Composer) -> Void) {
    state.withLock { _ in body(composer) }
  }

  /// The frame at `index`; all between it and the last one made are made on the way.
  func frame(at index: Int) throws(DecodeError) -> Bitmap {
    if index == 0 { return first }
    return try state.withLock { state throws(DecodeError) in
      if let kept = state.kept.first(where: { $0.index == index }) { return kept.bitmap }
      if index < state.nextIndex { restart(&state) }
      do throws(DecodeError) {
        while true {
          let bitmap = try composer.next()
          state.nextIndex += 1
          guard state.nextIndex > index else { continue }
          if state.kept.count == keptCount { state.kept.removeFirst() }
          state.kept.append((index, bitmap))
          return bitmap
        }
      } catch {
        restart(&state)
        throw error
      }
    }
  }

  private func restart(_ state: inout State) {
    composer.restart()
    state.nextIndex = 0
  }
}

/// Bytes of frames that are kept at most, unless two frames are more.
private let keptByteLimit = 32 << 20

extension SequentialFrames {
  /// The first `delays.count` frames as an animation, each made when it is asked for.
  func animation(delays: [Duration], loopCount: Int, isComplete: Bool) -> Animation {
    Animation(
      delays: delays, loopCount: loopCount, isComplete: isComplete,
      residentByteCount: first.byteCount
        * min(delays.count, max(3, keptByteLimit / first.byteCount))
    ) { index throws(DecodeError) in try self.frame(at: index) }
  }

  /// The same, with all frames made now.
  func preloadedAnimation(
    delays: [Duration], loopCount: Int, isComplete: Bool
  ) throws(DecodeError) -> Animation {
    var made = [first]
    while made.count < delays.count { made.append(try frame(at: made.count)) }
    let all = made
    return Animation(
      delays: delays, loopCount: loopCount, isComplete: isComplete,
      residentByteCount: first.byteCount * all.count
    ) { index in all[index] }
  }
}

extension DecodedImage {
  /// An animated image of `frames`; a still one when only the first is wanted, or there.
  init(
    frames: SequentialFrames<some FrameComposer>, delays: [Duration], loopCount: Int,
    format: ImageFormat, orientation: Orientation, loading: FrameLoading, isComplete: Bool,
    notes: [String]
  ) throws(DecodeError) {
    var animation: Animation?
    if delays.count > 1, loading == .preloaded {
      animation = try frames.preloadedAnimation(
        delays: delays, loopCount: loopCount, isComplete: isComplete)
    } else if delays.count > 1, loading != .firstOnly {
      animation = frames.animation(delays: delays, loopCount: loopCount, isComplete: isComplete)
    }
    self.init(
      bitmap: frames.first, animation: animation, format: format, orientation: orientation,
      isComplete: isComplete, notes: notes)
  }
}
