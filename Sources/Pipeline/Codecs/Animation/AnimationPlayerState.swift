/// Where a playing animation stands, and what is to be done next. Knows no clock and no lock.
struct AnimationPlayerState {
  /// A frame's turn to be shown; one that something else has overtaken is no longer current.
  struct Turn: Equatable {
    var index: Int
    var round: Int
    fileprivate var number: Int
  }

  enum Effect: Equatable {
    case nothing
    /// Show the frame.
    case show(Turn)
    /// Let the frame's time pass.
    case wait(Turn)
    /// All rounds are played.
    case finish
  }

  private var frameCount: Int
  private var loopCount: Int
  /// Whether more frames may come.
  private var isGrowing: Bool
  /// Whether the time of the last frame there is has passed, and the next has not come.
  private var isStarving = false
  private var turn = Turn(index: 0, round: 0, number: 0)
  private var isPlaying = false
  /// Whether the frame of the present turn has been shown.
  private var isShown = false
  private var isOver = false
  /// At 0 the frame that shows stays.
  private(set) var rate: Double

  init(frameCount: Int, loopCount: Int, isGrowing: Bool = false, rate: Double) {
    self.frameCount = frameCount
    self.loopCount = loopCount
    self.isGrowing = isGrowing
    self.rate = rate > 0 ? rate : 0
  }

  /// More frames have come, or it is known that none will.
  mutating func grow(frameCount: Int, loopCount: Int, isGrowing: Bool) -> Effect {
    precondition(frameCount >= self.frameCount, "an animation does not lose frames")
    self.frameCount = frameCount
    self.loopCount = loopCount
    self.isGrowing = isGrowing
    guard isStarving, isPlaying, turn.index + 1 < frameCount || !isGrowing else { return .nothing }
    return goOn()
  }

  func isCurrent(_ other: Turn) -> Bool { other == turn }

  mutating func play() -> Effect {
    guard !isPlaying, !isOver else { return .nothing }
    isPlaying = true
    return .show(newTurn())
  }

  mutating func pause() -> Effect {
    isPlaying = false
    _ = newTurn()
    return .nothing
  }

  mutating func seek(to index: Int) -> Effect {
    guard !isOver else { return .nothing }
    turn.index = index
    return .show(newTurn())
  }

  mutating func setRate(_ rate: Double) -> Effect {
    self.rate = rate > 0 ? rate : 0
    guard isPlaying else { return .nothing }
    guard isShown else { return .show(newTurn()) }
    defer { isShown = true }
    let turn = newTurn()
    return self.rate > 0 ? .wait(turn) : .nothing
  }

  /// The frame of `turn` is shown.
  mutating func showed(_ turn: Turn) -> Effect {
    guard isCurrent(turn) else { return .nothing }
    isShown = true
    return isPlaying && rate > 0 ? .wait(turn) : .nothing
  }

  /// The time of the frame of `turn` has passed.
  mutating func timePassed(_ turn: Turn) -> Effect {
    guard isPlaying, isCurrent(turn) else { return .nothing }
    guard turn.index + 1 < frameCount || !isGrowing else {
      isStarving = true
      return .nothing
    }
    return goOn()
  }

  /// To the next frame, or the first of the next round.
  private mutating func goOn() -> Effect {
    turn.index += 1
    if turn.index == frameCount {
      turn.index = 0
      turn.round += 1
      guard loopCount == 0 || turn.round < loopCount else {
        (isPlaying, isOver) = (false, true)
        return .finish
      }
    }
    return .show(newTurn())
  }

  private mutating func newTurn() -> Turn {
    turn.number += 1
    isShown = false
    isStarving = false
    return turn
  }
}
