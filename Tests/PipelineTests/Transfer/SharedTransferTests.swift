import Flow
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// Which loads share a transfer, and what they hear of it.
@Suite(.timeLimit(.minutes(1))) struct SharedTransferTests {
  let server: FaultServer
  let downloader = Downloader()
  let gate = Gate()

  init() throws {
    server = try FaultServer()
    let gate = gate
    server.route("/a") { exchange in
      if exchange.hold(until: gate) { exchange.respond(200, [:], [1]) }
    }
  }

  /// Loads that begin at the same time; how many requests they make.
  private func requests(_ changes: [@Sendable (inout TransferOptions) -> Void]) async throws -> Int
  {
    let counter = LoadCounter()
    let all = changes.map { change in
      var request = ImageRequest(server.url("/a"))
      change(&request.transfer)
      return counter.subscribe(to: Load(request).download(with: downloader))
    }
    gate.open()
    await counter.wait { $0.finished == changes.count }
    #expect(counter.now.failures.isEmpty)
    withExtendedLifetime(all) {}
    return server.counts.hits("/a")
  }

  @Test func `B42, B44: equal loads make one request`() async throws {
    let field: @Sendable (inout TransferOptions) -> Void = {
      $0.headers = [HeaderField(name: "X-User", value: "a")]
      $0.credential = .bearer("a")
    }
    #expect(try await requests([field, field, field]) == 1)
  }

  @Test func `B47: other fields, logins, cookies, certificates or hooks never share`() async throws
  {
    let changes: [@Sendable (inout TransferOptions) -> Void] = [
      { _ in },
      { $0.headers = [HeaderField(name: "X-User", value: "a")] },
      { $0.headers = [HeaderField(name: "X-User", value: "b")] },
      { $0.credential = .bearer("a") },
      { $0.credential = .bearer("b") },
      { $0.credential = .password(user: "a", password: "b") },
      { $0.usesCookies = true },
      { $0.tls = TLSOptions() },
      { $0.hooks = TransferHooks(name: "sign") },
      { $0.maximumBodySize = 10 },
    ]
    #expect(try await requests(changes) == changes.count)
  }

  @Test func `B49: asked again in reply to the end, it is a new transfer`() async throws {
    gate.open()
    let hits = CurrentValueSubject<Int, Never>(0)
    let again = Mutex<AnyCancellable?>(nil)
    let request = ImageRequest(server.url("/a"))
    let first = Load(request).download(with: downloader).sink { [downloader] _ in
      let second = Load(request).download(with: downloader).sink { _ in
        hits.send(2)
      } receiveValue: { _ in
      }
      again.withLock { $0 = second }
    } receiveValue: { _ in
    }
    for await count in hits.values where count == 2 { break }
    #expect(server.counts.hits("/a") == 2)
    #expect(downloader.sharedTransfers?.keys.isEmpty == true)
    withExtendedLifetime(first) {}
  }

  @Test func `B51: cancelled, it is forgotten, and asked again it is a new transfer`() async throws
  {
    let request = ImageRequest(server.url("/a"))
    let first = LoadCounter().subscribe(to: Load(request).download(with: downloader))
    try await server.wait { $0.hits("/a") == 1 }
    first.cancel()
    #expect(downloader.sharedTransfers?.keys.isEmpty == true)
    gate.open()
    let counter = LoadCounter()
    let second = counter.subscribe(to: Load(request).download(with: downloader))
    await counter.wait { $0.finished == 1 }
    #expect(counter.now.failures.isEmpty)
    #expect(server.counts.hits("/a") == 2)
    withExtendedLifetime(second) {}
  }

  @Test func `B48: many threads that ask for many addresses lose nobody`() async throws {
    for number in 0..<20 { server.serve("/\(number)", [UInt8(number)]) }
    let pipeline = ImagePipeline(configuration: .init(downloader: downloader))
    let bytes = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
      for load in 0..<400 {
        group.addTask { [server] in
          let request = ImageRequest(server.url("/\(load % 20)"))
          return (load % 20, try await pipeline.data(for: request).bytes.prefix(9))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(bytes.count == 400)
    #expect(bytes.allSatisfy { $0.1 == [UInt8($0.0)] })
    #expect(downloader.sharedTransfers?.keys.isEmpty == true)
  }

  @Test func `who joins during a second attempt hears the latest progress and bytes`() async throws
  {
    let attempts = Mutex(0)
    let cut = Gate()
    server.route("/twice") { [gate] exchange in
      let attempt = attempts.withLock { count in
        count += 1
        return count
      }
      exchange.sendHead(200, ["Content-Length": "1000"])
      exchange.write(pattern(attempt == 1 ? 600 : 200))
      if attempt == 1 {
        _ = exchange.hold(until: cut)
        return exchange.close()
      }
      if exchange.hold(until: gate) { exchange.write(Array(pattern(1000)[200...])) }
    }
    var request = ImageRequest(server.url("/twice"))
    request.transfer.retry = TransferRetry(count: 1, firstDelay: .milliseconds(1))
    request.transfer.resumes = false
    let (seen, told) = (CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(0))
    let first = Load(request).download(with: downloader).sink { _ in
      seen.send(-1)
    } receiveValue: { event in
      if case .encoded(let image, _) = event { seen.send(image.bytes.count) }
      if case .progress(let progress) = event { told.send(progress.received) }
    }
    for await count in told.values where count == 600 { break }
    cut.open()
    // The bytes of the second attempt are fewer than those of the first.
    for await count in seen.values where count == 200 { break }
    let heard = Mutex<[String]>([])
    let late = Load(request).download(with: downloader).sink { _ in
    } receiveValue: { event in
      switch event {
      case .progress(let progress): heard.withLock { $0.append("\(progress.received)") }
      case .encoded(let image, _): heard.withLock { $0.append("bytes \(image.bytes.count)") }
      default: break
      }
    }
    #expect(heard.withLock { $0 } == ["600", "bytes 200"])
    gate.open()
    for await count in seen.values where count == -1 { break }
    #expect(server.counts.hits("/twice") == 2)
    withExtendedLifetime((first, late)) {}
  }
}
