import Dispatch
import Flow
import Foundation
import Pipeline
import Synchronization

/// P1: what a whole load costs when the image is in memory.
func pipelineBenchmarks(_ report: BenchmarkReport) async {
  let image = DecodedImage(
    bitmap: Bitmap(size: PixelSize(width: 10, height: 10), color: .clear), format: .png)
  guard let url = URL(string: "https://images.example.com/albums/2024/summer/picture.jpg") else {
    return
  }
  let cache = ImageCache(memory: ImageCache.imageMemory(limit: 1 << 30), disk: nil)
  let request = ImageRequest(url)
  let key = RequestKeys(request).image
  cache.store(image, forKey: key)
  let pipeline = ImagePipeline(configuration: .init(cache: cache))
  let dictionary = Mutex([key: image])
  let count = 10_000
  func floor() { for _ in 0..<count { blackHole(dictionary.withLock { $0[key] }) } }
  report.compare(
    "P1.publisher", "memory hit by load(_:).sink, floor: a dictionary behind a mutex",
    operations: count,
    ours: {
      let images = Atomic(0)
      for _ in 0..<count {
        let load = pipeline.load(request).sink(
          receiveCompletion: { _ in },
          receiveValue: { event in
            if case .image = event { images.add(1, ordering: .relaxed) }
          })
        load.cancel()
      }
      check(images.load(ordering: .relaxed), count, "memory hits in the same turn")
    }, floor: floor)
  guard report.wants("P1.async") else { return }
  var times: [Double] = []
  for _ in 0..<7 {
    let start = ContinuousClock.now
    for _ in 0..<count { blackHole(try? await pipeline.image(for: request)) }
    let (seconds, attoseconds) = start.duration(to: .now).components
    times.append((Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(count))
  }
  report.record(
    "P1.async", "memory hit by await image(for:), floor: a dictionary behind a mutex",
    ours: median(times), floor: report.time(count, floor), unit: "ns")
}
