import Flow
import Pipeline
import Synchronization
import TestSupport
import Testing

/// Animations that are shown while their bytes come.
struct GrowingAnimationTests {
  private static let size = PixelSize(width: 40, height: 24)

  private static func encoded() throws -> [(name: String, bytes: ImageBytes)] {
    let animated = CodecFixtures.animation(count: 6, size: size, loopCount: 3)
    return [
      ("GIF", try GIFEncoder().encode(animated)),
      ("WebP", try WebPEncoder(compression: .lossless, effort: 0).encode(animated)),
      ("APNG", try PNGEncoder().encode(animated)),
    ]
  }

  @Test func `frames that have come are given, and stay the same when more come`() throws {
    for (name, bytes) in try Self.encoded() {
      let whole = try DecoderRegistry.standard.decode(bytes)
      let session = try DecoderRegistry.standard.decoder(for: bytes.prefix(16))
        .makeSession(options: DecodingOptions())
      var counts: [Int] = []
      var first: Animation?
      for end in 1...bytes.count {
        try session.append(bytes.beginning(end))
        _ = session.preview()
        guard let partial = session.partialAnimation() else { continue }
        #expect(!partial.isComplete)
        first = first ?? partial
        guard counts.last != partial.frameCount else { continue }
        counts.append(partial.frameCount)
        // The newest frame first, then one before it: any order is fine.
        for index in [partial.frameCount - 1, 0, partial.frameCount / 2] {
          #expect(try partial.frame(at: index) == whole.animation?.frame(at: index))
        }
        let delays = whole.animation?.delays.prefix(partial.frameCount) ?? []
        #expect(partial.delays.elementsEqual(delays))
      }
      #expect(Set(2...5).isSubset(of: counts), "\(name): \(counts)")
      let image = try session.finish()
      let animation = try #require(image.animation)
      #expect(animation.isComplete && animation.frameCount == 6 && animation.loopCount == 3)
      for index in 0..<6 {
        #expect(try animation.frame(at: index) == whole.animation?.frame(at: index))
      }
      // One from the beginning still gives its frames.
      #expect(try first?.frame(at: 1) == whole.animation?.frame(at: 1))
    }
  }

  @Test func `nothing new gives no preview, and the first frame only no animation`() throws {
    var firstOnly = DecodingOptions()
    firstOnly.frames = .firstOnly
    for (_, bytes) in try Self.encoded() {
      let decoder = try DecoderRegistry.standard.decoder(for: bytes.prefix(16))
      let session = decoder.makeSession(options: firstOnly)
      try session.append(bytes.beginning(bytes.count - 20))
      #expect(session.preview()?.size == Self.size)
      #expect(session.preview() == nil)
      #expect(session.partialAnimation() == nil)
    }
  }

  @Test func `the first frame shows as its rows come`() throws {
    let animated = CodecFixtures.animation(count: 3, size: PixelSize(width: 200, height: 160))
    let encoders: [any ImageEncoder] = [
      GIFEncoder(), PNGEncoder(), WebPEncoder(compression: .lossless),
      WebPEncoder(compression: .lossy(quality: 90)),
    ]
    for encoder in encoders {
      let bytes = try encoder.encode(animated)
      let whole = try DecoderRegistry.standard.decode(bytes)
      let session = try DecoderRegistry.standard.decoder(for: bytes.prefix(16))
        .makeSession(options: DecodingOptions())
      var partialCount = 0
      for end in stride(from: 20, to: bytes.count, by: 20) {
        try session.append(bytes.beginning(end))
        guard session.partialAnimation() == nil, let preview = session.preview() else { continue }
        #expect(preview.size == whole.size)
        // What shows is right, and the rest is transparent.
        if preview != whole.bitmap { partialCount += 1 }
        #expect(preview[3, 0] == whole.bitmap[3, 0], "\(encoder.format) after \(end) bytes")
        #expect(preview[3, 159] == whole.bitmap[3, 159] || preview[3, 159].alpha == 0)
      }
      #expect(partialCount > 1, "\(encoder.format)")
      try session.append(bytes)
      let image = try session.finish()
      #expect(image.bitmap == whole.bitmap)
      for index in [2, 0, 1] {
        #expect(try image.animation?.frame(at: index) == whole.animation?.frame(at: index))
      }
    }
  }

  @Test func `a player waits for frames that have not come, and goes on with them`() throws {
    let run = try Growing(frameCount: 2)
    run.player.play()
    run.clock.runAll()
    #expect(run.history == ["0@0", "1@20"])
    run.clock.advance(by: 500)
    run.grow(to: 4)
    run.clock.runAll()
    #expect(run.history == ["0@0", "1@20", "2@540", "3@560"])
    run.grow(to: 5, isComplete: true)
    run.clock.runAll()
    let rest = ["4@580", "0@600", "1@620", "2@640", "3@660", "4@680", "end@700"]
    #expect(run.history.dropFirst(4).elementsEqual(rest))
  }

  @Test func `frames that come in time make no difference`() throws {
    let run = try Growing(frameCount: 2)
    run.player.play()
    run.clock.advance(by: 5)
    run.grow(to: 4)
    run.clock.advance(by: 20)
    run.grow(to: 4, isComplete: true)
    run.clock.runAll()
    let round = [0, 20, 40, 60].enumerated().map { "\($0.offset)@\($0.element)" }
    #expect(run.history.prefix(4).elementsEqual(round))
    #expect(run.history.last == "end@160")
  }

  @Test func `a player that waits can be paused, sought, and told that no more will come`() throws {
    let run = try Growing(frameCount: 2, loopCount: 1)
    run.player.play()
    run.clock.runAll()
    run.player.pause()
    run.grow(to: 3)
    run.clock.runAll()
    #expect(run.history == ["0@0", "1@20"])
    run.player.seek(to: 2)
    run.clock.runAll()
    run.player.play()
    run.clock.runAll()
    #expect(run.history.map { $0.prefix(1) } == ["0", "1", "2", "2"])
    run.grow(to: 3, isComplete: true)
    #expect(run.history.last?.hasPrefix("end") == true)
  }

  @Test func `an animation plays while it loads`() async throws {
    for (name, bytes) in try Self.encoded() {
      let fixture = try PipelineFixture()
      let cuts = try Self.cuts(of: bytes)
      let gates = cuts.map { _ in Gate() }
      fixture.server.route("/a") { exchange in
        exchange.sendHead(200, ["Content-Length": "\(bytes.count)"])
        var sent = 0
        for (cut, gate) in zip(cuts, gates) {
          exchange.write(Array(bytes.prefix(cut).dropFirst(sent)))
          sent = cut
          guard exchange.hold(until: gate) else { return }
        }
        exchange.write(Array(bytes.prefix(bytes.count).dropFirst(sent)))
      }
      var request = ImageRequest(fixture.server.url("/a"))
      request.decoding.previews = true
      let clock = HandClock()
      var player: AnimationPlayer<HandClock>?
      let shown = Mutex<[Int]>([])
      var task: AnyCancellable?
      for try await event in fixture.pipeline.events(for: request) {
        let animation: Animation? =
          switch event {
          case .preview(let image): image.animation
          case .image(let loaded): loaded.image.animation
          default: nil
          }
        guard let animation else { continue }
        if let player { player.grow(to: animation) }
        if player == nil {
          let made = AnimationPlayer(animation, on: clock)
          task = made.frames.sink(receiveCompletion: { _ in }) { frame in
            shown.withLock { $0.append(frame.index) }
          }
          made.play()
          player = made
        }
        // All that is there has been played before the next part is sent.
        clock.runAll()
        #expect(shown.withLock { $0 }.starts(with: 0..<min(6, animation.frameCount)))
        if let next = cuts.indices.first(where: { !gates[$0].isOpen }), !animation.isComplete {
          gates[next].open()
        }
      }
      #expect(shown.withLock { $0 } == Array(0..<6) + Array(0..<6) + Array(0..<6), "\(name)")
      task?.cancel()
    }
  }

  /// Ends of beginnings that hold two and four whole frames.
  private static func cuts(of bytes: ImageBytes) throws -> [Int] {
    let session = try DecoderRegistry.standard.decoder(for: bytes.prefix(16))
      .makeSession(options: DecodingOptions())
    var ends: [Int: Int] = [:]
    for end in 1..<bytes.count {
      try session.append(bytes.beginning(end))
      guard let count = session.partialAnimation()?.frameCount, ends[count] == nil else { continue }
      ends[count] = end
    }
    return [2, 4].compactMap { ends[$0] }
  }
}

/// A player of an animation that grows by hand, each frame of 20 ms.
private final class Growing {
  let clock = HandClock()
  let player: AnimationPlayer<HandClock>
  private let loopCount: Int
  private let lines = Lines()
  private var task: AnyCancellable?

  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  init(frameCount: Int, loopCount: Int = 2) throws {
    self.loopCount = loopCount
    player = AnimationPlayer(Self.animation(frameCount, loopCount, false), on: clock)
    let (lines, clock) = (lines, clock)
    task = player.frames.sink { _ in
      lines.all.withLock { $0.append("end@\(clock.milliseconds)") }
    } receiveValue: { frame in
      lines.all.withLock { $0.append("\(frame.index)@\(clock.milliseconds)") }
    }
  }

  var history: [String] { lines.all.withLock { $0 } }

  func grow(to count: Int, isComplete: Bool = false) {
    player.grow(to: Self.animation(count, loopCount, isComplete))
  }

  private static func animation(_ count: Int, _ loopCount: Int, _ isComplete: Bool) -> Animation {
    let bitmap = CodecFixtures.picture(width: 2, height: 2)
    return Animation(
      delays: Array(repeating: .milliseconds(20), count: count), loopCount: loopCount,
      isComplete: isComplete, residentByteCount: 0
    ) { _ in bitmap }
  }
}
