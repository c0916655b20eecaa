import Flow
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// Numbered behaviours and field reports that have no better place.
struct TransferBehaviourTests {
  let server: FaultServer
  let downloader = Downloader()

  init() throws {
    server = try FaultServer()
    server.serve("/a", [1, 2, 3])
    server.route("/held") { exchange in
      exchange.sendHead(200, ["Content-Length": "10"])
      exchange.write([1])
      exchange.holdUntilClosed()
    }
  }

  @Test func `B11: all that a downloader says comes from one thread`() async throws {
    let threads = Mutex<Set<UInt>>([])
    let ended = Mutex(0)
    let tasks = (0..<20).map { number in
      downloader.transfer(for: ImageRequest(server.url("/a?\(number)"))).sink { _ in
        ended.withLock { $0 += 1 }
      } receiveValue: { _ in
        _ = threads.withLock { $0.insert(UInt(pthread_self())) }
      }
    }
    await downloader.shutDown(grace: .seconds(20))
    #expect(ended.withLock { $0 } == 20)
    #expect(threads.withLock { $0.count } == 1)
    for task in tasks { task.cancel() }
  }

  @Test func `B57, B58: events come on the downloader's thread, or wherever they are sent`()
    async throws
  {
    server.serve("/a", PipelineFixture.png)
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "delivery")
    queue.setSpecific(key: key, value: true)
    let direct = Mutex<[Bool]>([])
    let sent = Mutex<[Bool]>([])
    let ended = CurrentValueSubject<Bool, Never>(false)
    let load = downloader.transfer(for: ImageRequest(server.url("/a")))
      .handleEvents(receiveOutput: { _ in
        direct.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true) }
      })
      .receive(on: queue)
      .sink { _ in
        ended.send(true)
      } receiveValue: { _ in
        sent.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true) }
      }
    for await isOver in ended.values where isOver { break }
    #expect(direct.withLock { !$0.isEmpty && !$0.contains(true) })
    #expect(sent.withLock { !$0.isEmpty && !$0.contains(false) })
    withExtendedLifetime(load) {}
  }

  @Test func `B1: an image that comes is decoded, its pixels at hand`() async throws {
    server.serve("/a.png", PipelineFixture.png)
    let pipeline = ImagePipeline(configuration: .init(downloader: downloader))
    let loaded = try await pipeline.image(for: server.url("/a.png"))
    #expect(loaded.bitmap[3, 3] == Pixel(red: 200, green: 30, blue: 60))
    #expect(loaded.metrics.decode != nil)
  }

  @Test func `B28, B108: past the caches each load asks, and nothing is stored`() async throws {
    server.serve("/a.png", PipelineFixture.png, headers: ["Cache-Control": "max-age=3600"])
    let cache = ImageCache(memory: ImageCache.imageMemory(limit: 1 << 20), disk: nil)
    let pipeline = ImagePipeline(configuration: .init(cache: cache, downloader: downloader))
    var request = ImageRequest(server.url("/a.png"))
    request.caching = CachePolicy(read: [], write: [])
    for _ in 0..<2 { #expect(try await pipeline.image(for: request).origin == .network) }
    #expect(server.counts.hits("/a.png") == 2)
    #expect(cache.memoryImage(forKey: RequestKeys(request).image) == nil)
  }

  @Test func `B67: cancelling what is over changes nothing`() async throws {
    let transfer = await downloader.outcome(server.url("/a"))
    let count = transfer.events.count
    transfer.cancel()
    transfer.cancel()
    #expect(await downloader.outcome(server.url("/a")).body == [1, 2, 3])
    #expect(transfer.events.count == count && transfer.end == .finished)
    #expect(server.counts.connections == 1)
  }

  @Test func `B55, B71, B72: cancelled from another thread, and silent from then on`() async throws
  {
    let transfer = TransferRecorder(downloader, server.url("/held"))
    await transfer.events(3)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        transfer.cancel()
        continuation.resume()
      }
    }
    try await server.wait { $0.abandoned("/held") == 1 }
    #expect(transfer.end == nil)
  }

  @Test func `B74: starts and cancels from many threads leave nothing`() async throws {
    let (server, downloader) = (server, downloader)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for number in 0..<100 {
            let task = downloader.transfer(for: ImageRequest(server.url("/a?\(number)")))
              .sink { _ in
              } receiveValue: { _ in
              }
            if number % 3 > 0 { task.cancel() } else { withExtendedLifetime(task) {} }
          }
        }
      }
    }
    #expect(await downloader.outcome(server.url("/a")).body == [1, 2, 3])
    #expect(downloader.counts.total == 0)
  }

  @Test func `R003: cancelled in mid body, the connection is closed`() async throws {
    let transfer = TransferRecorder(downloader, server.url("/held"))
    await transfer.events(3)
    transfer.cancel()
    try await server.wait(within: .seconds(1)) { $0.openConnections == 0 }
  }

  @Test(arguments: [true, false])
  func `R064, B64, B82: an unknown length stays unknown`(isChunked: Bool) async throws {
    server.route("/a") { exchange in
      exchange.sendHead(200, isChunked ? ["Transfer-Encoding": "chunked"] : [:])
      for _ in 0..<3 {
        if isChunked { exchange.writeChunk(pattern(1000)) } else { exchange.write(pattern(1000)) }
        guard exchange.pause(milliseconds: 5) else { return }
      }
      if isChunked { exchange.writeChunk([]) }
    }
    let transfer = await downloader.outcome(server.url("/a"))
    #expect(transfer.body?.count == 3000)
    #expect(transfer.progress.allSatisfy { $0.expected == nil && $0.fraction == nil })
    let received = transfer.progress.map(\.received)
    #expect(received == received.sorted() && received.last == 3000)
  }

  @Test func `B90: of a refused response no bytes are told`() async throws {
    server.serve("/no", pattern(5000), status: 404)
    let transfer = await downloader.outcome(server.url("/no"))
    #expect(transfer.failure == .refused(status: 404, retryAfter: nil))
    #expect(transfer.events.allSatisfy { if case .progress = $0 { true } else { false } })
  }

  @Test(arguments: [
    "application/octet-stream", "binary/octet-stream", "text/plain", "", "text/html",
  ])
  func `R051: the type that a server names does not matter`(type: String) async throws {
    server.serve("/typed", [1, 2], type: type)
    #expect(await downloader.outcome(server.url("/typed")).body == [1, 2])
  }

  @Test func `R052: addresses that differ in the query are two`() async throws {
    server.route("/q") { $0.respond(200, [:], Array($0.request.target.utf8)) }
    let one = await downloader.outcome(server.url("/q?x=1")).body
    let two = await downloader.outcome(server.url("/q?x=2")).body
    #expect(one == Array("/q?x=1".utf8) && two == Array("/q?x=2".utf8))
  }

  @Test func `R033: a header that is not UTF-8 is read as Latin-1`() async throws {
    server.route("/latin") { exchange in
      exchange.sendRaw(Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nX-Name: caf".utf8))
      exchange.sendRaw([0xE9])
      exchange.sendRaw(Array("\r\n\r\n1".utf8))
      exchange.close()
    }
    let transfer = await downloader.outcome(server.url("/latin"))
    #expect(transfer.image?.response?.header("x-name") == "café")
  }

  @Test func `a slow subscriber skips what is outdated, never the last`() async throws {
    final class Slow: Subscriber {
      let events = Mutex<[TransferEvent]>([])
      let subscription = Mutex<(any Subscription)?>(nil)
      let ended = Gate()

      func receive(subscription: any Subscription) {
        self.subscription.withLock { $0 = subscription }
        subscription.request(.max(1))
      }

      func receive(_ event: TransferEvent) -> Subscribers.Demand {
        events.withLock { $0.append(event) }
        return .none
      }

      func receive(completion: Subscribers.Completion<DownloadError>) { ended.open() }

      func ask(_ count: Int) { subscription.withLock { $0 }?.request(.max(count)) }
    }
    let slow = Slow()
    server.serve("/big", pattern(2_000_000))
    downloader.transfer(for: ImageRequest(server.url("/big"))).subscribe(slow)
    await downloader.shutDown(grace: .seconds(20))
    #expect(slow.events.withLock { $0.count } == 1 && !slow.ended.isOpen)
    slow.ask(1)
    slow.ask(1)
    let events = slow.events.withLock { $0 }
    #expect(events.count == 3 && slow.ended.isOpen)
    guard case .progress(let progress) = events[1], case .bytes(let image) = events[2] else {
      Issue.record("\(events)")
      return
    }
    #expect(progress == LoadProgress(received: 2_000_000, expected: 2_000_000))
    #expect(image.isComplete && image.bytes.count == 2_000_000)
  }
}
