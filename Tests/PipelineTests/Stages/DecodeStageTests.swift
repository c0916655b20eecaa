import Dispatch
import Flow
import FlowTesting
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
    #expect(state.received(Self.work([1], isComplete: false)) == .startJob(.normal))
    #expect(state.received(Self.work([1, 2], isComplete: false)) == .nothing)
    #expect(state.received(Self.work([1, 2, 3], isComplete: true)) == .nothing)
    #expect(state.received(Self.work([4], isComplete: false, revision: 1)) == .nothing)
    #expect(state.received(Self.work([4, 5], isComplete: false, revision: 1)) == .nothing)
    #expect(state.takeWork()?.encoded.bytes.count == 3)
    #expect(state.takeWork()?.encoded.bytes.count == 2)
    #expect(state.end == nil)
    #expect(state.takeWork() == nil)
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
