import Flow
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// Limits, order, urgency, suspending, counting, ending.
struct DownloaderControlTests {
  let server: FaultServer
  let gate = Gate()

  init() throws {
    server = try FaultServer()
    let gate = gate
    server.route("/held") { exchange in
      if exchange.hold(until: gate) { exchange.respond(200, [:], [1]) }
    }
    for number in 0..<12 { server.serve("/\(number)", [UInt8(number)]) }
  }

  private func downloader(slots: Int, _ change: (inout DownloaderConfiguration) -> Void = { _ in })
    -> Downloader
  {
    var configuration = DownloaderConfiguration()
    configuration.maximumConcurrentTransfers = slots
    change(&configuration)
    return Downloader(configuration: configuration)
  }

  private func request(_ path: String, _ priority: LoadPriority) -> ImageRequest {
    var request = ImageRequest(server.url(path))
    request.priority = priority
    return request
  }

  private var order: [String] { server.counts.requests.map(\.path).filter { $0 != "/held" } }

  @Test func `R013: a queued transfer that becomes urgent is the next request`() async throws {
    let downloader = downloader(slots: 1)
    let held = TransferRecorder(downloader, server.url("/held"))
    try await server.wait { $0.active == 1 }
    let priorities = PassthroughSubject<LoadPriority, Never>()
    let queued = (0..<10).map { number in
      TransferRecorder(
        downloader.transfer(
          for: request("/\(number)", .low),
          priorities: number == 9
            ? priorities.eraseToAnyPublisher() : Empty().eraseToAnyPublisher()))
    }
    priorities.send(.high)
    gate.open()
    for transfer in queued + [held] { await transfer.ended() }
    #expect(order == ["/9"] + (0..<9).map { "/\($0)" })
  }

  @Test func `R016: urgency changed from many threads while transfers end`() async throws {
    let downloader = downloader(slots: 4)
    let subjects = (0..<200).map { _ in PassthroughSubject<LoadPriority, Never>() }
    let all = subjects.map {
      TransferRecorder(
        downloader.transfer(for: request("/1", .normal), priorities: $0.eraseToAnyPublisher()))
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for subject in subjects { subject.send(LoadPriority.allCases.randomElement() ?? .low) }
        }
      }
    }
    for transfer in all { await transfer.ended() }
    #expect(all.allSatisfy { $0.body == [1] })
  }

  @Test func `B39: newest first`() async throws {
    let downloader = downloader(slots: 1) { $0.order = .newestFirst }
    let held = TransferRecorder(downloader, server.url("/held"))
    try await server.wait { $0.active == 1 }
    let queued = (0..<3).map { TransferRecorder(downloader, server.url("/\($0)")) }
    gate.open()
    for transfer in queued + [held] { await transfer.ended() }
    #expect(order == ["/2", "/1", "/0"])
  }

  @Test func `a host's limit is kept`() async throws {
    let downloader = downloader(slots: 8) { $0.maximumTransfersPerHost = 2 }
    let all = (0..<10).map { _ in TransferRecorder(downloader, server.url("/held")) }
    let other = try FaultServer()
    other.serve("/a", [1])
    #expect(await downloader.outcome(other.url("/a")).body == [1])
    try await server.wait { $0.active == 2 }
    gate.open()
    for transfer in all { await transfer.ended() }
    #expect(server.counts.mostAtOnce == 2)
  }

  @Test func `B4: the limit is read back and can be changed while running`() async throws {
    let downloader = downloader(slots: 1)
    let all = (0..<4).map { _ in TransferRecorder(downloader, server.url("/held")) }
    try await server.wait { $0.active == 1 }
    downloader.configuration.maximumConcurrentTransfers = 3
    #expect(downloader.configuration.maximumConcurrentTransfers == 3)
    try await server.wait { $0.active == 3 }
    gate.open()
    for transfer in all { await transfer.ended() }
    #expect(server.counts.mostAtOnce == 3)
  }

  @Test func `who runs out of time makes room for the next in line`() async throws {
    let downloader = downloader(slots: 1)
    var hurried = TransferOptions()
    hurried.deadline = .milliseconds(30)
    let late = TransferRecorder(downloader, server.url("/held"), hurried)
    try await server.wait { $0.active == 1 }
    let next = await TransferRecorder(downloader, server.url("/0")).ended()
    #expect(next.failure == nil)
    guard case .timedOut? = await late.ended().failure else {
      Issue.record("expected a timeout, not \(String(describing: late.failure))")
      return
    }
    gate.open()
  }

  @Test func `B26: suspended, nothing starts; resumed, all end`() async throws {
    let downloader = downloader(slots: 2)
    downloader.suspend()
    let all = (0..<3).map { TransferRecorder(downloader, server.url("/\($0)")) }
    #expect(downloader.counts == DownloaderCounts(running: 0, waiting: 3))
    downloader.resume()
    for transfer in all { await transfer.ended() }
    #expect(downloader.counts.total == 0)
  }

  @Test func `B5, B25: counts of those that run and wait`() async throws {
    let downloader = downloader(slots: 2)
    let all = (0..<5).map { _ in TransferRecorder(downloader, server.url("/held")) }
    #expect(downloader.counts.total == 5)
    try await server.wait { $0.active == 2 }
    gate.open()
    for transfer in all { await transfer.ended() }
    #expect(downloader.counts.total == 0)
  }

  @Test func `cancelling all ends those that run and those that wait`() async throws {
    let downloader = downloader(slots: 2)
    let all = (0..<5).map { _ in TransferRecorder(downloader, server.url("/held")) }
    try await server.wait { $0.active == 2 }
    downloader.cancelAll()
    for transfer in all { await transfer.ended() }
    #expect(all.allSatisfy { $0.failure == .cancelled })
    try await server.wait { $0.openConnections == 0 }
    #expect(await downloader.outcome(server.url("/1")).body == [1])
  }

  @Test func `B75, B77: a shutdown lets transfers end within its grace`() async throws {
    let downloader = downloader(slots: 2)
    let all = (0..<3).map { _ in TransferRecorder(downloader, server.url("/held")) }
    try await server.wait { $0.active == 2 }
    async let done: Void = downloader.shutDown(grace: .seconds(20))
    gate.open()
    await done
    #expect(all.allSatisfy { $0.body == [1] })
    #expect(await downloader.outcome(server.url("/1")).failure == .shutDown)
  }

  @Test func `B76: at the end of the grace the others are ended`() async throws {
    let downloader = downloader(slots: 2)
    let all = (0..<3).map { _ in TransferRecorder(downloader, server.url("/held")) }
    try await server.wait { $0.active == 2 }
    await downloader.shutDown(grace: .milliseconds(50))
    #expect(all.allSatisfy { $0.failure == .shutDown })
    await downloader.shutDown()
    try await server.wait { $0.openConnections == 0 }
  }

  @Test func `B66: where no transfer can be made there is an error and no start`() async {
    let downloader = Downloader()
    await downloader.shutDown()
    let steps = Mutex(0)
    let watch = downloader.events.sink { _ in steps.withLock { $0 += 1 } }
    let failure = await downloader.outcome(server.url("/1")).failure
    #expect(failure == .shutDown)
    #expect(steps.withLock { $0 } == 0)
    withExtendedLifetime(watch) {}
  }

  @Test func `B56: a downloader dropped while a transfer runs goes on for its subscriber`()
    async throws
  {
    var downloader: Downloader? = Downloader()
    let transfer = TransferRecorder(try #require(downloader), server.url("/held"))
    try await server.wait { $0.active == 1 }
    downloader = nil
    gate.open()
    #expect(await transfer.ended().body == [1])
  }

  @Test func `R019: the same again from inside the end, a hundred deep`() async throws {
    let downloader = downloader(slots: 1)
    let running = Mutex<[AnyCancellable]>([])
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      @Sendable func load(_ depth: Int) {
        let task = downloader.transfer(for: request("/1", .normal)).sink { _ in
          depth == 0 ? continuation.resume() : load(depth - 1)
        } receiveValue: { _ in
        }
        running.withLock { $0.append(task) }
      }
      load(100)
    }
    #expect(server.counts.hits("/1") == 101)
  }

  @Test func `R021: two thousand at once need no threads`() async throws {
    let downloader = downloader(slots: 6)
    let before = ProcessCounts.threads
    let all = (0..<2000).map { _ in TransferRecorder(downloader, server.url("/1")) }
    let during = ProcessCounts.threads
    for transfer in all { await transfer.ended() }
    #expect(all.allSatisfy { $0.body == [1] })
    // Servers of tests that run beside this one have threads too.
    #expect(during - before < 500)
    #expect(server.counts.mostAtOnce <= 6)
  }

  @Test func `a thousand cancelled at once close all connections`() async throws {
    let downloader = downloader(slots: 50)
    let all = (0..<1000).map { _ in TransferRecorder(downloader, server.url("/held")) }
    try await server.wait { $0.active == 50 }
    for transfer in all { transfer.cancel() }
    try await server.wait { $0.openConnections == 0 }
    #expect(server.counts.hits("/held") <= 100)
    // One more load runs behind all cancels.
    #expect(await downloader.outcome(server.url("/1")).body == [1])
    #expect(downloader.counts.total == 0)
  }
}
