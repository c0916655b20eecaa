import Dispatch
import Flow
import FlowTesting
import Synchronization
import Testing

@testable import Pipeline

/// What the decode stage does with bytes that come while others wait or are decoded.
@Suite(.timeLimit(.minutes(1))) struct DecodeStageTests {
  private typealias Completion = Subscribers.Completion<LoadError>

  private static let error = LoadError.download(.connectionFailed(reason: "reset"), source: "a")
  private static let request = ImageRequest(.bytes(ImageBytes(PipelineFixture.png), key: "a"))

  private static func work(
    _ bytes: [UInt8], isComplete: Bool, revision: UInt64 = 0
  ) -> DecodeState.Work {
    DecodeState.Work(
      encoded: EncodedImage(
        bytes: ImageBytes(bytes), isComplete: isComplete, origin: .network, revision: revision),
      request: request)
  }

  @Test func `complete bytes keep their place, of growing ones the newest wait`() {
    var state = DecodeState()
    #expect(state.received(Self.work([1], isComplete: false)) == .startJobAhead)
    #expect(state.received(Self.work([1, 2], isComplete: false)) == .nothing)
    // What waits behind all other work, as long as nobody waits for it, does so no more.
    #expect(state.received(Self.work([1, 2, 3], isComplete: true)) == .raiseJob(.normal))
    #expect(state.received(Self.work([4], isComplete: false, revision: 1)) == .nothing)
    #expect(state.received(Self.work([4, 5], isComplete: false, revision: 1)) == .nothing)
    #expect(state.takeWork()?.encoded.bytes.count == 3)
    #expect(state.takeWork()?.encoded.bytes.count == 2)
    #expect(state.end == nil)
    #expect(state.takeWork() == nil)
  }

  @Test func `parts are decoded behind whole pictures, unless somebody is shown previews`() async {
    let workers = WorkerPool(width: 1)
    let block = DispatchSemaphore(value: 0)
    workers.submit { _ in block.wait() }
    let done = LoadCounter()
    let order = Mutex<[String]>([])
    let sources = ["parts first", "whole"].map { name in
      let source = PassthroughSubject<LoadEvent, LoadError>()
      let load = source.decode(on: workers).handleEvents(receiveOutput: { event in
        if case .image = event { order.withLock { $0.append(name) } }
      })
      return (source, done.subscribe(to: load))
    }
    let png = PipelineFixture.png
    let part = EncodedImage(
      bytes: ImageBytes(Array(png.prefix(60))), isComplete: false, origin: .network)
    let whole = EncodedImage(bytes: ImageBytes(png), origin: .network)
    var urgent = Self.request
    urgent.priority = .veryHigh
    sources[0].0.send(.encoded(part, for: urgent))
    sources[1].0.send(.encoded(whole, for: Self.request))
    // Complete at last, the more urgent one overtakes again.
    sources[0].0.send(.encoded(whole, for: urgent))
    for (source, _) in sources { source.send(completion: .finished) }
    block.signal()
    await done.wait { $0.finished == 2 }
    #expect(order.withLock { $0 } == ["parts first", "whole"])
    var watching = DecodeState()
    var request = Self.request
    request.decoding.previews = true
    let shown = DecodeState.Work(encoded: part, request: request)
    #expect(watching.received(shown) == .startJob(.normal))
  }

  @Test func `a failure waits for complete bytes, and drops what can not become whole`() {
    var state = DecodeState()
    _ = state.received(Self.work([1, 2, 3], isComplete: true))
    _ = state.received(Self.work([4], isComplete: false, revision: 1))
    #expect(state.upstreamDidEnd(.failure(Self.error)) == .nothing)
    #expect(state.takeWork()?.encoded.isComplete == true)
    #expect(state.end == nil)
    #expect(state.takeWork() == nil)
    #expect(state.end == .failure(Self.error))
    var growing = DecodeState()
    _ = growing.received(Self.work([1], isComplete: false))
    _ = growing.takeWork()
    #expect(growing.upstreamDidEnd(.failure(Self.error)) == .end(.failure(Self.error)))
  }

  @Test func `an image that waits for a busy worker comes before the failure of what followed`()
    async
  {
    let workers = WorkerPool(width: 1)
    let block = DispatchSemaphore(value: 0)
    workers.submit { _ in block.wait() }
    let source = PassthroughSubject<LoadEvent, LoadError>()
    let ended = LoadCounter()
    let task = ended.subscribe(to: source.decode(on: workers))
    let png = PipelineFixture.png
    let complete = EncodedImage(bytes: ImageBytes(png), origin: .disk)
    let growing = EncodedImage(
      bytes: ImageBytes(Array(png.prefix(40))), isComplete: false, origin: .network, revision: 1)
    source.send(.encoded(complete, for: Self.request))
    source.send(.encoded(growing, for: Self.request))
    source.send(completion: .failure(Self.error))
    #expect(ended.now.finished == 0)
    block.signal()
    await ended.wait { $0.finished == 1 }
    #expect(ended.now.images == 1 && ended.now.failures == [Self.error])
    withExtendedLifetime(task) {}
  }

  @Test func `two whole pictures in a row are two images, whatever their revision`() async {
    let source = PassthroughSubject<LoadEvent, LoadError>()
    let counter = LoadCounter()
    let task = counter.subscribe(to: source.decode())
    for width in [8, 16] {
      let bytes = ImageBytes(PipelineFixture.pngBytes(width: width, height: 4))
      source.send(.encoded(EncodedImage(bytes: bytes, origin: .disk), for: Self.request))
    }
    source.send(completion: .finished)
    await counter.wait { $0.finished == 1 }
    #expect(counter.now.images == 2 && counter.now.failures.isEmpty)
    withExtendedLifetime(task) {}
  }
}
