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
/// An animation whose bytes are still coming plays as far as its frames are there, then waits at
/// the last one: hand each longer version to `grow(to:)`, the complete one in the end.
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
  private struct State {
    var animation: Animation
    var machine: AnimationPlayerState
  }

  private let clock: Clock
  private let state: Mutex<State>
  private let output = PassthroughSubject<AnimationFrame, DecodeError>()

  /// A player that stands before the first frame.
  ///
  /// - Parameters:
  ///   - animation: What is played; one that is still coming plays on as its frames do.
  ///   - clock: Where frames are decoded if they are not at hand, and delivered.
  ///   - rate: Speed; 2 plays in half the time, 0 and what is below stands still.
  public init(_ animation: Animation, on clock: Clock, rate: Double = 1) {
    self.clock = clock
    let machine = AnimationPlayerState(
      frameCount: animation.frameCount, loopCount: animation.loopCount,
      isGrowing: !animation.isComplete, rate: rate)
    state = Mutex(State(animation: animation, machine: machine))
  }

  /// Goes on with a longer version of the animation, of which more has come: that of a later
  /// preview, and that of the image in the end. Traps when it has fewer frames than the last.
  public func grow(to animation: Animation) {
    perform(
      state.withLock { state in
        state.animation = animation
        return state.machine.grow(
          frameCount: animation.frameCount, loopCount: animation.loopCount,
          isGrowing: !animation.isComplete)
      })
  }

  /// The frames as they are shown. Ends after the last one of the last round; fails when a frame
  /// cannot be decoded. Delivers on the clock. Cancelling stops the delivery, not the player.
  public var frames: AnyPublisher<AnimationFrame, DecodeError> { output.eraseToAnyPublisher() }

  /// Shows the present frame and goes on from there. Nothing if it plays, or has played all.
  public func play() { perform(state.withLock { $0.machine.play() }) }

  /// Stops at the frame that shows.
  public func pause() { perform(state.withLock { $0.machine.pause() }) }

  /// Shows the frame at `index`, and goes on from there if it plays. Traps beyond the last frame.
  public func seek(to index: Int) {
    perform(
      state.withLock { state in
        precondition(state.animation.delays.indices.contains(index), "no such frame")
        return state.machine.seek(to: index)
      })
  }

  /// Speed; the frame that shows begins its time anew when it is set. At 0, which stands for what is
  /// below too, it stays until the rate is another.
  public var rate: Double {
    get { state.withLock { $0.machine.rate } }
    set { perform(state.withLock { $0.machine.setRate(newValue) }) }
  }

  /// How long a frame shows at rate 1: what the file says, but 100 ms for less than 11 ms.
  public static func shownTime(for delay: Duration) -> Duration {
    delay < .milliseconds(11) ? .milliseconds(100) : delay
  }

  /// The same at a rate above 0; beyond all that clocks can count, a lifetime.
  private static func shownTime(for delay: Duration, at rate: Double) -> Duration {
    let (time, longest) = (shownTime(for: delay), Duration.seconds(1 << 31))
    return time / .seconds(1) / rate < longest / .seconds(1) ? time / rate : longest
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
    let due = state.withLock { $0.machine.isCurrent(turn) ? $0.animation : nil }
    guard let animation = due else { return }
    do throws(DecodeError) {
      let bitmap = try animation.frame(at: turn.index)
      output.send(AnimationFrame(index: turn.index, round: turn.round, bitmap: bitmap))
      perform(state.withLock { $0.machine.showed(turn) })
    } catch {
      perform(state.withLock { $0.machine.pause() })
      output.send(completion: .failure(error))
    }
  }

  private func wait(_ turn: AnimationPlayerState.Turn) {
    let time = state.withLock {
      Self.shownTime(for: $0.animation.delays[turn.index], at: $0.machine.rate)
    }
    clock.schedule(after: clock.now.advanced(by: time)) { [weak self] in
      guard let self else { return }
      let next = state.withLock { $0.machine.timePassed(turn) }
      if case .show(let turn) = next { show(turn) } else { perform(next) }
    }
  }
}
