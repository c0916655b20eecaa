import Flow
import Foundation
import Synchronization
import TestSupport

@testable import Pipeline

/// A pipeline of its own beside a server of its own, with a small PNG to serve.
struct PipelineFixture {
  let server: FaultServer
  let pipeline: ImagePipeline
  let cache: ImageCache
  let downloader: Downloader
  static let png: [UInt8] = pngBytes(width: 8, height: 6)

  init(disk: DiskCache? = nil, memoryLimit: Int = 64 << 20) throws {
    server = try FaultServer()
    cache = ImageCache(memory: ImageCache.imageMemory(limit: memoryLimit), disk: disk)
    downloader = Downloader()
    pipeline = ImagePipeline(configuration: .init(cache: cache, downloader: downloader))
  }

  /// Returns when no load runs: the end of a load is counted a moment after its image was handed out.
  func idle() async {
    await withCheckedContinuation { continuation in
      pipeline.ledger.whenIdle { continuation.resume() }
    }
  }

  static func pngBytes(width: Int, height: Int) -> [UInt8] {
    let bitmap = Bitmap(
      size: PixelSize(width: width, height: height), color: Pixel(red: 200, green: 30, blue: 60))
    guard let bytes = try? PNGEncoder().encode(bitmap) else { return [] }
    return bytes.prefix(bytes.count)
  }
}

/// Counts what loads came to, and lets a test wait for a count.
final class LoadCounter: Sendable {
  struct Counts: Sendable {
    var images = 0
    var failures: [LoadError] = []
    var progress: [LoadProgress] = []
    var finished = 0
  }
  private let counts = CurrentValueSubject<Counts, Never>(Counts())
  private let lock = Mutex(Counts())

  var now: Counts { lock.withLock { $0 } }

  func note(_ change: (inout Counts) -> Void) {
    counts.send(
      lock.withLock { counts in
        change(&counts)
        return counts
      })
  }

  func subscribe(to load: some Publisher<LoadEvent, LoadError>) -> AnyCancellable {
    load.sink(
      receiveCompletion: { completion in
        self.note {
          if case .failure(let error) = completion { $0.failures.append(error) }
          $0.finished += 1
        }
      },
      receiveValue: { event in
        self.note {
          if case .image = event { $0.images += 1 }
          if case .progress(let progress) = event { $0.progress.append(progress) }
        }
      })
  }

  /// Waits for the event itself, not for time.
  func wait(until condition: @Sendable @escaping (Counts) -> Bool) async {
    for await counts in counts.values where condition(counts) || condition(now) { return }
  }
}

extension PipelineFixture {
  /// Serves the PNG: its first bytes at once, the rest when the gate opens.
  func serveGated(_ path: String, _ gate: Gate, _ bytes: [UInt8] = PipelineFixture.png) {
    server.route(path) { exchange in
      exchange.sendHead(200, ["Content-Length": "\(bytes.count)"])
      exchange.write(Array(bytes.prefix(20)))
      guard exchange.hold(until: gate) else { return }
      exchange.write(Array(bytes.dropFirst(20)))
    }
  }
}

/// Takes every second pixel of every second row.
struct Halved: ImageTransform {
  let key = "halved"

  func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    let size = PixelSize(width: bitmap.width / 2, height: bitmap.height / 2)
    return Bitmap(size: size, hasAlpha: bitmap.hasAlpha) { bytes in
      for index in 0..<(size.width * size.height) {
        let pixel = bitmap[index % size.width * 2, index / size.width * 2]
        for (offset, value) in [pixel.red, pixel.green, pixel.blue, pixel.alpha].enumerated() {
          bytes[index * 4 + offset] = value
        }
      }
    }
  }
}
