import Flow
import Foundation
import Pipeline

/// P3 and P4: loads over loopback, beside what transfers, decodes and resizes take alone.
func networkBenchmarks(_ report: BenchmarkReport) {
  let folder = FileManager.default.temporaryDirectory
  for (id, size) in [("P3", (1200, 900)), ("P4", (4000, 3000))] where report.wants(id) {
    let bytes = encoded(BenchmarkPictures.photo(width: size.0, height: size.1), JPEGEncoder())
    let path = folder.appending(path: "flow-\(id)-\(UUID()).jpg").path(percentEncoded: false)
    guard (try? bytes.data.write(to: URL(fileURLWithPath: path))) != nil,
      let (server, port) = try? FileServer.start(file: path)
    else { return print("\(id): no server") }
    defer {
      kill(server.processIdentifier, SIGKILL)
      unlink(path)
    }
    let bench = NetworkBench(report: report, bytes: bytes, port: port)
    if id == "P3" { bench.manyPictures() } else { bench.manySizes() }
  }
}

private struct NetworkBench {
  let report: BenchmarkReport
  let bytes: ImageBytes
  let port: UInt16

  /// 500 pictures, cold, to bitmaps of 300 pixels, 6 transfers at once.
  func manyPictures() {
    let count = 500
    let size = PixelSize(width: 300, height: 300)
    let resize: any ImageTransform = .resize(fitting: size)
    let options = Self.options(for: size)
    let bytes = bytes
    var (ours, transfers, decodes): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<5 {
      ours.append(
        milliseconds {
          load(count, ImagePipeline(), address) { request, _ in
            request.decoding = options
            request.transforms = [resize]
          }
        })
      transfers.append(
        milliseconds { fetch(count, Downloader()) })
      decodes.append(
        milliseconds {
          DispatchQueue.concurrentPerform(iterations: count) { _ in
            blackHole(
              try? resize.apply(
                to: decoded(bytes, options).bitmap, cancellation: CancellationFlag()))
          }
        })
    }
    report.record(
      "P3", "500 cold JPEGs of 1.1 megapixels to 300 px; floor: the slower of transfer and decode",
      ours: median(ours), floor: max(median(transfers), median(decodes)), unit: "ms")
    report.record(
      "P3.sum", "the same; floor: transfers, then decodes",
      ours: median(ours), floor: median(transfers) + median(decodes), unit: "ms")
  }

  /// A hundred sizes of one picture of 12 megapixels.
  func manySizes() {
    var (ours, floor): ([Double], [Double]) = ([], [])
    let (transfers, decodes) = (Counter(), Counter())
    let rounds = 3
    for _ in 0..<rounds {
      let downloader = Downloader()
      let watch = downloader.events.sink { event in
        if case .started = event.step { transfers.add() }
      }
      let pipeline = ImagePipeline(
        configuration: .init(
          downloader: downloader,
          decoders: DecoderRegistry.standard.adding(CountedJPEG(sessions: decodes))))
      ours.append(
        milliseconds {
          load(100, pipeline, { _ in address(0) }) { request, number in
            request.transforms = [Self.resize(number)]
          }
        })
      check(pipeline.counters.delivered[.network] ?? 0, 100, "sizes")
      watch.cancel()
      floor.append(
        milliseconds {
          fetch(1, Downloader())
          let picture = decoded(bytes).bitmap
          DispatchQueue.concurrentPerform(iterations: 100) { index in
            blackHole(try? Self.resize(index).apply(to: picture, cancellation: CancellationFlag()))
          }
        })
    }
    for (id, counter) in [("P4.transfers", transfers), ("P4.decodes", decodes)] {
      report.record(
        id, "of 100 loads; floor: one", ours: Double(counter.value) / Double(rounds), floor: 1,
        unit: "times")
    }
    report.record(
      "P4", "100 sizes of one JPEG of 12 megapixels; floor: one transfer, one decode, 100 resizes",
      ours: median(ours), floor: median(floor), unit: "ms")
  }

  private static func options(for size: PixelSize) -> DecodingOptions {
    var options = DecodingOptions()
    options.targetSize = size
    return options
  }

  private static func resize(_ number: Int) -> any ImageTransform {
    .resize(fitting: PixelSize(width: 10 * (number + 1), height: 10 * (number + 1)))
  }

  private func load(
    _ count: Int, _ pipeline: ImagePipeline, _ address: (Int) -> URL,
    _ change: (inout ImageRequest, Int) -> Void
  ) {
    let (ended, images) = (Counter(), Counter())
    let tasks = (0..<count).map { number in
      var request = ImageRequest(address(number))
      change(&request, number)
      return pipeline.load(request).sink { _ in
        ended.add()
      } receiveValue: { event in
        if case .image = event { images.add() }
      }
    }
    ended.wait(for: count)
    check(images.value, count, "images")
    withExtendedLifetime(tasks) {}
  }

  private func fetch(_ count: Int, _ downloader: Downloader) {
    let ended = Counter()
    let tasks = (0..<count).map { number in
      downloader.transfer(for: ImageRequest(address(number))).sink { _ in
        ended.add()
      } receiveValue: { _ in
      }
    }
    ended.wait(for: count)
    withExtendedLifetime(tasks) {}
  }

  private func address(_ number: Int) -> URL {
    URL(string: "http://127.0.0.1:\(port)/file?\(number)") ?? URL(fileURLWithPath: "/")
  }

  private func milliseconds(_ body: () -> Void) -> Double { nanoseconds(body) / 1e6 }
}

/// The JPEG decoder, counting how often it is used.
private struct CountedJPEG: ImageDecoder {
  let sessions: Counter
  private let inner = JPEGDecoder()
  var format: ImageFormat { inner.format }

  init(sessions: Counter) { self.sessions = sessions }

  func accepts(prefix: [UInt8]) -> Bool { inner.accepts(prefix: prefix) }

  func makeSession(options: DecodingOptions) -> any DecodingSession {
    sessions.add()
    return inner.makeSession(options: options)
  }
}
