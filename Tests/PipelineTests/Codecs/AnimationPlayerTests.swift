import Flow
import Pipeline
import Synchronization
import Testing

struct AnimationPlayerTests {
  private static let animation = CodecFixtures.animation(
    count: 3, size: PixelSize(width: 4, height: 4), loopCount: 2
  ).animation

  @Test func `frames show for their delays, as often as the animation says`() throws {
    let run = try Run(delays: [20, 30, 40], loopCount: 2)
    run.player.play()
    run.clock.runAll()
    #expect(run.history == ["0@0", "1@20", "2@50", "0@90", "1@110", "2@140", "end@180"])
  }

  @Test func `delays below 11 ms play at 100 ms (R100, R102)`() throws {
    let run = try Run(delays: [0, 10, 20, 50, 100], loopCount: 1)
    run.player.play()
    run.clock.runAll()
    #expect(run.history == ["0@0", "1@100", "2@200", "3@220", "4@270", "end@370"])
  }

  @Test func `a late frame delays those behind it and skips none`() throws {
    let run = try Run(delays: [20, 20, 20], loopCount: 1)
    run.player.play()
    run.clock.advance(by: 20)
    run.clock.oversleep(by: 500)
    run.clock.runAll()
    #expect(run.history == ["0@0", "1@20", "2@520", "end@540"])
  }

  @Test func `pausing stops at the frame that shows, playing shows it again`() throws {
    let run = try Run(delays: [20, 20, 20], loopCount: 1)
    run.player.play()
    run.clock.advance(by: 25)
    run.player.pause()
    run.clock.runAll()
    #expect(run.history == ["0@0", "1@20"])
    run.player.play()
    run.clock.advance(by: 0)
    #expect(run.history.last == "1@\(run.clock.milliseconds)")
  }

  @Test func `seeking shows the frame, playing or not`() throws {
    let run = try Run(delays: [20, 20, 20], loopCount: 1)
    run.player.seek(to: 2)
    run.clock.runAll()
    #expect(run.history == ["2@0"])
    run.player.play()
    run.clock.runAll()
    #expect(run.history == ["2@0", "2@0", "end@20"])
  }

  @Test func `another rate changes the times, and skips no frame`() throws {
    let run = try Run(delays: [20, 20, 20], loopCount: 1)
    run.player.play()
    run.player.rate = 2
    run.clock.runAll()
    #expect(run.history == ["0@0", "1@10", "2@20", "end@30"])
  }

  @Test(arguments: [0, -1, Double.nan])
  func `at rate 0 the frame that shows stays until the rate is another`(_ rate: Double) throws {
    let run = try Run(delays: [20, 20], loopCount: 1)
    run.player.rate = rate
    run.player.play()
    run.clock.runAll()
    #expect(run.history == ["0@0"] && run.player.rate == 0)
    run.player.rate = 1
    run.clock.advance(by: 25)
    run.player.rate = rate
    run.clock.advance(by: 75)
    #expect(run.history == ["0@0", "1@20"])
    run.player.rate = 1
    run.clock.runAll()
    #expect(run.history == ["0@0", "1@20", "end@120"])
  }

  @Test(arguments: [1e-9, 1e-300, Double.leastNonzeroMagnitude])
  func `times beyond all that clocks can count become a lifetime`(_ rate: Double) throws {
    let run = try Run(delays: [65_535_000, 20], loopCount: 1)
    run.player.rate = rate
    run.player.play()
    run.clock.advance(by: 1_000_000)
    #expect(run.history == ["0@0"])
    run.player.rate = .infinity
    run.clock.runAll()
    #expect(run.history.last?.hasPrefix("end") == true)
  }

  @Test func `a frame that cannot be decoded ends the stream with its error`() throws {
    let broken = Animation(
      delays: [.milliseconds(20), .milliseconds(20)], loopCount: 0, residentByteCount: 0
    ) { index throws(DecodeError) in
      guard index == 0 else { throw .truncated(.gif) }
      return CodecFixtures.picture(width: 2, height: 2)
    }
    let run = try Run(broken)
    run.player.play()
    run.clock.runAll()
    #expect(run.history == ["0@0", "truncated@20"])
  }

  @Test func `a player that nobody holds stops`() throws {
    let clock = HandClock()
    var player: AnimationPlayer<HandClock>? = AnimationPlayer(
      try #require(Self.animation), on: clock)
    player?.play()
    clock.advance(by: 5)
    player = nil
    #expect(clock.runAll() <= 1)
  }
}

/// A player on a clock moved by hand, and what it published: frame or end, `@`, milliseconds.
private final class Run {
  let clock = HandClock()
  let player: AnimationPlayer<HandClock>
  private let log = Log()
  private var task: AnyCancellable?

  private final class Log: Sendable {
    let lines = Mutex<[String]>([])
  }

  convenience init(delays: [Int], loopCount: Int) throws {
    let bitmap = CodecFixtures.picture(width: 2, height: 2)
    try self.init(
      Animation(
        delays: delays.map { .milliseconds($0) }, loopCount: loopCount, residentByteCount: 0
      ) { _ in bitmap })
  }

  init(_ animation: Animation) throws {
    player = AnimationPlayer(animation, on: clock)
    let (log, clock) = (log, clock)
    task = player.frames.sink { end in
      let name = if case .failure = end { "truncated" } else { "end" }
      log.lines.withLock { $0.append("\(name)@\(clock.milliseconds)") }
    } receiveValue: { frame in
      log.lines.withLock { $0.append("\(frame.index)@\(clock.milliseconds)") }
    }
  }

  var history: [String] { log.lines.withLock { $0 } }
}

/// Time that stands still until it is moved.
final class HandClock: Scheduler, Sendable {
  struct Moment: InstantProtocol {
    var time: Duration
    func advanced(by duration: Duration) -> Moment { Moment(time: time + duration) }
    func duration(to other: Moment) -> Duration { other.time - time }
    static func < (left: Moment, right: Moment) -> Bool { left.time < right.time }
  }

  private struct Entry {
    var due: Duration
    var number: Int
    var action: @Sendable () -> Void
  }

  private struct State {
    var time = Duration.zero
    var number = 0
    var entries: [Entry] = []
  }

  private let state = Mutex(State())

  var now: Moment { Moment(time: state.withLock(\.time)) }
  var minimumTolerance: Duration { .zero }
  var milliseconds: Int { Int(now.time / .milliseconds(1)) }

  func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {
    schedule(after: now, tolerance: .zero, options: nil, action)
  }

  func schedule(
    after date: Moment, tolerance: Duration, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) {
    state.withLock { state in
      state.number += 1
      state.entries.append(Entry(due: date.time, number: state.number, action: action))
    }
  }

  func schedule(
    after date: Moment, interval: Duration, tolerance: Duration, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    schedule(after: date, tolerance: tolerance, options: options, action)
    return AnyCancellable {}
  }

  /// Runs what is due in the next `milliseconds`, each at its time.
  func advance(by milliseconds: Int) {
    let end = now.time + .milliseconds(milliseconds)
    while runNext(until: end) {}
    state.withLock { $0.time = end }
  }

  /// Lets time pass without running what is due, as a busy thread would.
  func oversleep(by milliseconds: Int) {
    state.withLock { $0.time += .milliseconds(milliseconds) }
  }

  /// Runs all there is; how many actions that were, at most a thousand.
  @discardableResult
  func runAll() -> Int { (0..<1_000).first { _ in !runNext(until: .seconds(1 << 40)) } ?? 1_000 }

  private func runNext(until end: Duration) -> Bool {
    let action: (@Sendable () -> Void)? = state.withLock { state in
      let next = state.entries.indices.min {
        (state.entries[$0].due, state.entries[$0].number)
          < (state.entries[$1].due, state.entries[$1].number)
      }
      guard let next, state.entries[next].due <= end else { return nil }
      let entry = state.entries.remove(at: next)
      state.time = max(state.time, entry.due)
      return entry.action
    }
    action?()
    return action != nil
  }
}
