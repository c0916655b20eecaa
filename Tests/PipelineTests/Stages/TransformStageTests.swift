import Dispatch
import Flow
import Pipeline
import Synchronization
import Testing

struct TransformStageTests {
  private func request(_ transforms: [any ImageTransform]) -> ImageRequest {
    var request = ImageRequest(.bytes(ImageBytes(PipelineFixture.png), key: "a.png"))
    request.transforms = transforms
    return request
  }

  /// Loads without a cache, transforms on `pool`, and gives how it ended.
  private func load(
    _ transforms: [any ImageTransform], on pool: WorkerPool = WorkerPool(width: 1)
  ) -> (image: LoadedImage?, failure: LoadError?) {
    let ended = DispatchSemaphore(value: 0)
    let outcome = Mutex<(image: LoadedImage?, failure: LoadError?)>((nil, nil))
    let load = Load(request([])).download(with: Downloader()).decode()
      .transform(TransformChain(transforms), on: pool)
      .sink { completion in
        if case .failure(let error) = completion { outcome.withLock { $0.failure = error } }
        ended.signal()
      } receiveValue: { event in
        if case .image(let loaded) = event { outcome.withLock { $0.image = loaded } }
      }
    ended.wait()
    load.cancel()
    return outcome.withLock { $0 }
  }

  @Test func `B191: a transform runs on a worker of its stage`() {
    let pool = WorkerPool(width: 1)
    let idle = Mutex<[Int]>([])
    let look = CustomTransform(name: "look") { bitmap, _ in
      idle.withLock { $0.append(pool.idleCount) }
      return bitmap
    }
    #expect(load([look], on: pool).image != nil)
    #expect(idle.withLock { $0 } == [0])
  }

  @Test func `B196: a failing transform fails the load with its error`() {
    let failure = load([.resize(to: PixelSize(width: 0, height: 5))]).failure
    guard case .transform(.invalidParameter, let source) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(source == "a.png")
  }

  @Test func `B196: a transform that is only attempted leaves the image as it was`() throws {
    let wrong = Attempt.attempt(.flip(.vertical), .resize(to: PixelSize(width: 0, height: 5)))
    let loaded = try #require(load([wrong]).image)
    #expect(loaded.bitmap.size == PixelSize(width: 8, height: 6))
    let right = Attempt.attempt(.resize(to: PixelSize(width: 4, height: 5)))
    #expect(load([right]).image?.bitmap.size == PixelSize(width: 4, height: 5))
  }

  @Test func `cancelling a load stops its transform at the next look`() {
    let (began, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let endless = CustomTransform(name: "endless") { _, flag in
      began.signal()
      while !flag.isCancelled {}
      ended.signal()
      throw CancellationError()
    }
    let values = Mutex(0)
    let load = Load(request([])).download(with: Downloader()).decode()
      .transform(endless, on: WorkerPool(width: 1))
      .sink { _ in
      } receiveValue: { event in
        if case .image = event { values.withLock { $0 += 1 } }
      }
    began.wait()
    load.cancel()
    ended.wait()
    #expect(values.withLock { $0 } == 0)
  }
}
