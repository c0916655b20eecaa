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
    let downloader = Downloader()
    var first: Held?
    var done = 0
    while done < soakLoads {
      await Self.load(200, paths, server, downloader)
      done += 200
      if first == nil, done >= max(soakLoads / 10, min(1000, soakLoads / 2)) {
        try await server.wait { $0.active == 0 }
        first = Held()
      }
    }
    try await server.wait { $0.active == 0 }
    let (before, after) = (try #require(first), Held())
    print("early: \(before); after \(done) loads: \(after)")
    #expect(abs(after.threads - before.threads) <= 8)
    #expect(abs(after.descriptors - before.descriptors) <= 16)
    #expect(Double(after.residentBytes) <= Double(before.residentBytes) * 1.05)
    #expect(downloader.counts.total == 0)
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
