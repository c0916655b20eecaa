import Foundation
import Pipeline
import Synchronization
import TestSupport
import Testing

@testable import Demo

/// How `demo load` fetches, from the outside.
struct FetchProcessTests {
  let scratch: ScratchFolder
  let server: FaultServer
  let png: [UInt8]

  init() throws {
    scratch = try ScratchFolder()
    server = try FaultServer()
    let bytes = try PNGEncoder().encode(
      Bitmap(size: PixelSize(width: 4, height: 3), color: .clear))
    png = bytes.prefix(bytes.count)
    server.serve("/a.png", png, type: "image/png")
  }

  private func load(_ path: String, _ options: String...) async throws -> (DemoProcess, ReportJSON)
  {
    let run = try await DemoProcess(
      ["load", "--json", server.url(path).absoluteString] + options,
      cacheHome: scratch.path + "/cache")
    let reports = try JSONDecoder().decode([ReportJSON].self, from: Data(run.output.utf8))
    return (run, try #require(reports.first))
  }

  @Test func `fields and a login are sent`() async throws {
    let login = "Basic " + Data("me:secret".utf8).base64EncodedString()
    server.route("/private.png") { [png] exchange in
      guard exchange.request.headers["authorization"] == login else {
        return exchange.respond(401, ["WWW-Authenticate": "Basic realm=\"r\""], [])
      }
      exchange.respond(exchange.request.headers["x-key"] == "v" ? 200 : 403, [:], png)
    }
    let (run, report) = try await load(
      "/private.png", "--user", "me:secret", "--header", "X-Key: v")
    #expect(run.code == 0, "\(run.errors)")
    #expect(report.transfer?.status == 200)
    #expect(report.transfer?.protocolName == "HTTP/1.1")
    #expect(report.transfer?.bodyBytes == png.count && report.transfer?.wireBytes == png.count)
    #expect((report.transfer?.firstByteMilliseconds ?? 0) > 0)
    let (_, refused) = try await load("/private.png", "--user", "me:wrong")
    #expect(refused.transfer == .init(status: 401))
  }

  @Test func `retries are made when asked for, and counted`() async throws {
    let count = Mutex(0)
    server.route("/busy.png") { [png] exchange in
      let number = count.withLock { number in
        number += 1
        return number
      }
      exchange.respond(number % 2 == 1 ? 503 : 200, [:], number % 2 == 1 ? [] : png)
    }
    let (run, report) = try await load("/busy.png", "--retry", "1")
    #expect(run.code == 0, "\(run.errors)")
    #expect(report.transfer?.retries == 1)
    server.serve("/broken.png", [], status: 503)
    let (_, refused) = try await load("/broken.png")
    #expect(refused.error?.hasSuffix("the server answered with status 503") == true)
    #expect(server.counts.hits("/broken.png") == 1)
  }

  @Test func `silence ends when the time is up`() async throws {
    server.route("/silent.png") { $0.holdUntilClosed() }
    let (run, report) = try await load("/silent.png", "--timeout", "0.2")
    #expect(run.code == 1)
    #expect(report.error?.hasSuffix("the server was silent for too long") == true)
  }

  @Test func `addresses that are not public are refused when asked to`() async throws {
    let (run, report) = try await load("/a.png", "--public-only")
    #expect(run.code == 1)
    #expect(report.error?.hasSuffix("connections to 127.0.0.1 are not allowed") == true)
    #expect(server.counts.connections == 0)
  }

  @Test(.enabled(if: NginxServer.isAvailable, "nginx or openssl is not installed"))
  func `a certificate that nobody vouches for is taken when asked to`() async throws {
    let nginx = try NginxServer()
    let url = nginx.https.appending(path: "plain.bin").absoluteString
    for (options, error) in [
      ([], "no secure connection"), (["--insecure"], "not an image of a known format"),
    ] {
      let run = try await DemoProcess(
        ["load", url] + options, cacheHome: scratch.path + "/cache")
      #expect(run.errors.contains(error), "\(run.errors)")
    }
  }
}
