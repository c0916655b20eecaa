import Synchronization

/// Frames on demand from a composer that can only go forward: keeps those made last, goes on for a
/// later one, starts again for an earlier one. All who play the animation share them.
// SAFETY: the composer is used under the lock alone.
final class SequentialFrames: @unchecked Sendable {
  private struct State {
    var nextIndex = 0
    var kept: [(index: Int, bitmap: Bitmap)] = []
  }

  private let composer: any FrameComposer
  private let first: Bitmap
  private let state = Mutex(State())

  private let keptCount: Int

  /// Bytes of frames that are kept at most, unless two frames are more.
  private static let keptByteLimit = 32 << 20

  /// Bytes of pixels that are kept of `count` frames like `first`.
  static func keptByteCount(of first: Bitmap, count: Int) -> Int {
    first.byteCount * min(count, max(3, keptByteLimit / first.byteCount))
  }

  /// Takes over a composer that has made `madeCount` frames, whose first is `first`.
  init(composer: any FrameComposer, first: Bitmap, madeCount: Int) {
    self.composer = composer
    self.first = first
    // The first is kept besides these.
    keptCount = max(2, Self.keptByteLimit / first.byteCount - 1)
    state.withLock { $0.nextIndex = madeCount }
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

extension DecodedImage {
  /// An animated image whose frames `composer` makes; a still one when only the first is wanted.
  ///
  /// - Parameter first: The first frame, if it is at hand and the composer has not made it.
  init(
    composer: some FrameComposer, first: Bitmap?, delays: [Duration], loopCount: Int,
    format: ImageFormat, orientation: Orientation, loading: FrameLoading, isComplete: Bool,
    notes: [String]
  ) throws(DecodeError) {
    let bitmap: Bitmap
    if let first { bitmap = first } else { bitmap = try composer.next() }
    var animation: Animation?
    if loading == .preloaded, delays.count > 1 {
      var frames = [bitmap]
      if first != nil { _ = try composer.next() }
      while frames.count < delays.count { frames.append(try composer.next()) }
      let all = frames
      animation = Animation(
        delays: delays, loopCount: loopCount, residentByteCount: bitmap.byteCount * all.count
      ) { index in all[index] }
    } else if loading != .firstOnly, delays.count > 1 {
      let frames = SequentialFrames(
        composer: composer, first: bitmap, madeCount: first == nil ? 1 : 0)
      animation = Animation(
        delays: delays, loopCount: loopCount,
        residentByteCount: SequentialFrames.keptByteCount(of: bitmap, count: delays.count)
      ) { index throws(DecodeError) in try frames.frame(at: index) }
    }
    self.init(
      bitmap: bitmap, animation: animation, format: format, orientation: orientation,
      isComplete: isComplete, notes: notes)
  }
}
