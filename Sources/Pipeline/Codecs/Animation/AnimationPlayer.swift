import Flow
import Synchronization

/// One frame of a playing animation.
public struct AnimationFrame: Sendable {
  /// Its place, from 0.
  public let index: Int
  /// How often the animation has been played through before.
  public let round: Int
  /// The picture.
  public let bitmap: Bitmap
}

/// Plays an animation: publishes each frame when it is due, as often as the animation says.
///
/// A late frame delays those behind it; none is skipped. Frames are decoded once for all players
/// of an animation, few are kept. Methods may be called from any thread. Playing ends when nobody
/// holds the player any more.
///
/// ```swift
/// let player = AnimationPlayer(animation, on: DispatchQueue.main)
/// let task = player.frames.sink { … } receiveValue: { view.show($0.bitmap) }
/// player.play()
/// ```
public final class AnimationPlayer<Clock: Scheduler>: Sendable {
  private let animation: Animation
  private let clock: Clock
  private let state: Mutex<AnimationPlayerState>
  private let output = PassthroughSubject<AnimationFrame, DecodeError>()

  /// A player that stands before the first frame.
  ///
  /// - Parameters:
  ///   - clock: Where frames are decoded if they are not at hand, and delivered.
  ///   - rate: Speed; 2 plays in half the time. Must be positive.
  public init(_ animation: Animation, on clock: Clock, rate: Double = 1) {
    self.animation = animation
    self.clock = clock
    state = Mutex(
      AnimationPlayerState(
        frameCount: animation.frameCount, loopCount: animation.loopCount, rate: rate))
  }

  /// The frames as they are shown. Ends after the last one of the last round; fails when a frame
  /// cannot be decoded. Delivers on the clock. Cancelling stops the delivery, not the player.
  public var frames: AnyPublisher<AnimationFrame, DecodeError> { output.eraseToAnyPublisher() }

  /// Shows the present frame and goes on from there. Nothing if it plays, or has played all.
  public func play() { perform(state.withLock { $0.play() }) }

  /// Stops at the frame that shows.
  public func pause() { perform(state.withLock { $0.pause() }) }

  /// Shows the frame at `index`, and goes on from there if it plays. Traps beyond the last frame.
  public func seek(to index: Int) {
    precondition(animation.delays.indices.contains(index), "no such frame")
    perform(state.withLock { $0.seek(to: index) })
  }

  /// Speed; the frame that shows begins its time anew when it is set. Must be positive.
  public var rate: Double {
    get { state.withLock { $0.rate } }
    set { perform(state.withLock { $0.setRate(newValue) }) }
  }

  /// How long a frame shows at rate 1: what the file says, but 100 ms for less than 11 ms.
  public static func shownTime(for delay: Duration) -> Duration {
    delay < .milliseconds(11) ? .milliseconds(100) : delay
  }

  private func perform(_ effect: AnimationPlayerState.Effect) {
    switch effect {
    case .nothing: break
    case .show(let turn): clock.schedule { [weak self] in self?.show(turn) }
    case .wait(let turn): wait(turn)
    case .finish: output.send(completion: .finished)
    }
  }

  private func show(_ turn: AnimationPlayerState.Turn) {
    guard state.withLock({ $0.isCurrent(turn) }) else { return }
    do throws(DecodeError) {
      let bitmap = try animation.frame(at: turn.index)
      output.send(AnimationFrame(index: turn.index, round: turn.round, bitmap: bitmap))
      perform(state.withLock { $0.showed(turn) })
    } catch {
      perform(state.withLock { $0.pause() })
      output.send(completion: .failure(error))
    }
  }

  private func wait(_ turn: AnimationPlayerState.Turn) {
    let time = Self.shownTime(for: animation.delays[turn.index]) / rate
    clock.schedule(after: clock.now.advanced(by: time)) { [weak self] in
      guard let self else { return }
      let next = state.withLock { $0.timePassed(turn) }
      if case .show(let turn) = next { show(turn) } else { perform(next) }
    }
  }
}
