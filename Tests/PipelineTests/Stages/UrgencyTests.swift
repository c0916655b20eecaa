import Flow
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// How urgent shared loads are, from the pipeline down to the queue of transfers.
@Suite(.timeLimit(.minutes(1))) struct UrgencyTests {
  let server: FaultServer
  let downloader: Downloader
  let pipeline: ImagePipeline
  let gate = Gate()
  let counter = LoadCounter()

  init() throws {
    server = try FaultServer()
    var configuration = DownloaderConfiguration()
    configuration.maximumConcurrentTransfers = 1
    downloader = Downloader(configuration: configuration)
    pipeline = ImagePipeline(configuration: .init(downloader: downloader))
    let gate = gate
    server.route("/held") { exchange in
      if exchange.hold(until: gate) { exchange.respond(200, [:], PipelineFixture.png) }
    }
    for number in 0..<10 { server.serve("/\(number)", PipelineFixture.png) }
  }

  private func load(_ path: String, _ priority: LoadPriority) -> AnyCancellable {
    var request = ImageRequest(server.url(path))
    request.priority = priority
    return counter.subscribe(to: pipeline.load(request))
  }

  private var order: [String] { server.counts.requests.map(\.path).filter { $0 != "/held" } }

  /// One transfer that holds the only slot, and ten that wait behind it.
  private func queue(_ number: Int = 10) async throws -> [AnyCancellable] {
    let held = load("/held", .normal)
    try await server.wait { $0.active == 1 }
    let queued = (0..<number).map { load("/\($0)", .low) }
    while downloader.counts.waiting < number { await Task.yield() }
    return [held] + queued
  }

  @Test func `R013: a prefetch that the user asks for becomes the next request`() async throws {
    let all = try await queue()
    let wanted = load("/9", .high)
    gate.open()
    await counter.wait { $0.finished == 12 }
    #expect(order == ["/9"] + (0..<9).map { "/\($0)" })
    #expect(counter.now.images == 12)
    withExtendedLifetime((all, wanted)) {}
  }

  @Test func `R013: other sizes of the same picture raise its transfer, too`() async throws {
    let all = try await queue()
    var request = ImageRequest(server.url("/9"))
    request.priority = .veryHigh
    request.transforms = [Halved()]
    let wanted = counter.subscribe(to: pipeline.load(request))
    gate.open()
    await counter.wait { $0.finished == 12 }
    #expect(order.first == "/9")
    #expect(Set(order).count == order.count)
    withExtendedLifetime((all, wanted)) {}
  }

  @Test func `when the urgent one leaves, the transfer goes back to its place`() async throws {
    let all = try await queue()
    load("/9", .high).cancel()
    gate.open()
    await counter.wait { $0.finished == 11 }
    #expect(order == (0..<10).map { "/\($0)" })
    withExtendedLifetime(all) {}
  }

  @Test func `a load follows the priorities it was given`() async throws {
    let held = load("/held", .normal)
    try await server.wait { $0.active == 1 }
    let priorities = (0..<4).map { _ in PassthroughSubject<LoadPriority, Never>() }
    let all = priorities.enumerated().map { number, priorities in
      counter.subscribe(
        to: pipeline.load(ImageRequest(server.url("/\(number)")).following(priorities)))
    }
    while downloader.counts.waiting < 4 { await Task.yield() }
    priorities[2].send(.veryHigh)
    priorities[3].send(.high)
    priorities[0].send(.low)
    gate.open()
    await counter.wait { $0.finished == 5 }
    #expect(order == ["/2", "/3", "/1", "/0"])
    withExtendedLifetime((held, all)) {}
  }

  @Test
  func `B50: parts leave a transfer shared: who joins late gets its latest progress and bytes`()
    async throws
  {
    let bytes = pattern(1000)
    server.route("/slow") { [gate] exchange in
      exchange.sendHead(200, ["Content-Length": "1000"])
      exchange.write(Array(bytes[..<600]))
      if exchange.hold(until: gate) { exchange.write(Array(bytes[600...])) }
    }
    let request = ImageRequest(server.url("/slow"))
    let first = CurrentValueSubject<Int, Never>(0)
    let running = Load(request).download(with: downloader).sink { _ in
    } receiveValue: {
      if case .progress(let progress) = $0 { first.send(progress.received) }
    }
    for await received in first.values where received == 600 { break }
    let heard = Mutex<[String]>([])
    let late = Load(request).download(with: downloader).sink { _ in
      first.send(-1)
    } receiveValue: { event in
      switch event {
      case .progress(let progress): heard.withLock { $0.append("\(progress.received)") }
      case .encoded(let image, _): heard.withLock { $0.append("bytes \(image.bytes.count)") }
      default: break
      }
    }
    #expect(heard.withLock { $0 } == ["bytes 600", "600"])
    gate.open()
    for await received in first.values where received == -1 { break }
    #expect(heard.withLock { $0.last } == "bytes 1000")
    #expect(server.counts.hits("/slow") == 1)
    withExtendedLifetime((running, late)) {}
  }

  @Test func `decodes that wait are done in the order they have become urgent`() async throws {
    let workers = WorkerPool(width: 1)
    let (started, hold) = (Gate(), DispatchSemaphore(value: 0))
    workers.submit { _ in
      started.open()
      hold.wait()
    }
    while !started.isOpen { await Task.yield() }
    let decoded = Mutex<[Int]>([])
    let priorities = (0..<3).map { _ in CurrentValueSubject<LoadPriority, Never>(.normal) }
    let done = LoadCounter()
    let all = priorities.enumerated().map { number, priorities in
      let source = ImageSource.bytes(ImageBytes(PipelineFixture.png), key: "\(number)")
      return done.subscribe(
        to: Load(ImageRequest(source).following(priorities)).download(with: downloader)
          .decode(on: workers)
          .handleEvents(receiveOutput: { event in
            if case .image = event { decoded.withLock { $0.append(number) } }
          }))
    }
    priorities[2].send(.high)
    priorities[0].send(.low)
    hold.signal()
    await done.wait { $0.finished == 3 }
    #expect(decoded.withLock { $0 } == [2, 1, 0])
    withExtendedLifetime(all) {}
  }
}
