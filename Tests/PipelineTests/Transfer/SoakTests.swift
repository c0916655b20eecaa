import Flow
import Foundation
import TestSupport
import Testing

@testable import Pipeline

private let soakLoads = Int(ProcessInfo.processInfo.environment["FLOW_SOAK"] ?? "") ?? 0

/// Many loads of all kinds, cancelled at random, leave the process as it was. Run alone, by
/// `Scripts/soak.sh`: it counts what the whole process holds.
@Suite(.enabled(if: soakLoads > 0, "only by Scripts/soak.sh, in a process of its own"))
struct SoakTests {
  private struct Held: CustomStringConvertible {
    let threads = ProcessCounts.threads
    let descriptors = ProcessCounts.descriptors
    let residentBytes = ProcessCounts.residentBytes

    var description: String {
      "\(threads) threads, \(descriptors) descriptors, \(residentBytes >> 10) KiB"
    }
  }

  @Test func `threads, descriptors and memory are the same after all loads as after the first`()
    async throws
  {
    let server = try FaultServer()
    let paths = Self.addFaults(to: server)
    let early = max(soakLoads / 10, min(1000, soakLoads / 2))
    let before = try await Self.run(early, paths, server)
    let after = try await Self.run(soakLoads - early, paths, server, settlesAt: before)
    print("after \(early) loads: \(before); after \(soakLoads): \(after)")
    #expect(after.threads <= before.threads)
    #expect(after.descriptors <= before.descriptors)
    #expect(Double(after.residentBytes) <= Double(before.residentBytes) * 1.05)
  }

  /// Runs that many loads on a downloader of their own, and returns what is held when it is shut
  /// down and its connections are closed. Idle threads of the system's pools end after a while: with
  /// a former count to settle at, that is waited for.
  private static func run(
    _ count: Int, _ paths: [String], _ server: FaultServer, settlesAt former: Held? = nil
  ) async throws -> Held {
    let downloader = Downloader()
    for _ in 0..<(count + 199) / 200 { await load(200, paths, server, downloader) }
    #expect(downloader.counts.total == 0)
    await downloader.shutDown()
    try await server.wait { $0.openConnections == 0 }
    let limit = ContinuousClock.now + .seconds(30)
    var held = Held()
    while let former, held.threads > former.threads || held.descriptors > former.descriptors,
      ContinuousClock.now < limit
    {
      await Task.yield()
      held = Held()
    }
    return held
  }

  private static func addFaults(to server: FaultServer) -> [String] {
    server.keepsRequests(false)
    server.serve("/whole", pattern(20_000), headers: ["ETag": "\"1\""])
    server.serve("/empty", [])
    server.serve("/busy", [], status: 503)
    server.serve("/gzip", pattern(100), headers: ["Content-Encoding": "gzip"])
    server.redirect("/moved", to: "/whole")
    server.redirect("/loop", to: "/loop")
    server.route("/short") { exchange in
      exchange.sendHead(200, ["Content-Length": "50000", "ETag": "\"2\""])
      exchange.write(pattern(9000))
      exchange.close()
    }
    server.route("/reset") { exchange in
      exchange.sendHead(200, ["Content-Length": "50000"])
      exchange.write(pattern(9000))
      exchange.reset()
    }
    server.route("/silent") { $0.holdUntilClosed() }
    server.route("/drip") { exchange in
      exchange.sendHead(200)
      while exchange.write([1]), exchange.pause(milliseconds: 2) {}
    }
    return [
      "/whole", "/empty", "/busy", "/gzip", "/moved", "/loop", "/short", "/reset", "/silent",
      "/drip", "/missing",
    ]
  }

  private static func load(
    _ count: Int, _ paths: [String], _ server: FaultServer, _ downloader: Downloader
  ) async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask {
          var options = TransferOptions()
          options.idleTimeout = .milliseconds(20)
          options.deadline = .milliseconds(40)
          let path = paths.randomElement() ?? "/whole"
          let transfer = TransferRecorder(downloader, server.url(path), options)
          if Int.random(in: 0..<3) == 0 {
            await transfer.events(Int.random(in: 0...3))
            transfer.cancel()
          } else {
            await transfer.ended()
          }
        }
      }
    }
  }
}
