import Foundation
import Pipeline
import TestSupport
import Testing

/// Looking at a header while the bytes come.
struct ProbeStreamTests {
  @Test(arguments: CodecFixtures.encoders.indices)
  func `a probe stops the transfer as soon as it knows`(_ index: Int) async throws {
    let (name, encoder, _) = CodecFixtures.encoders[index]
    let size = PixelSize(width: 900, height: 700)
    let picture = try encoder.encode(CodecFixtures.picture(width: size.width, height: size.height))
    // What follows the picture would be more than all buffers on the way hold.
    let head = picture.prefix(min(picture.count, 2_000))
    let server = try FaultServer()
    server.route("/a") { exchange in
      exchange.sendHead(200, ["Content-Length": "\(50 << 20)"])
      exchange.write(head)
      exchange.holdUntilClosed()
    }
    let load = Load(server.url("/a")).download(with: Downloader()).probe()
    var probed: [ProbedImage] = []
    for try await value in load.values { probed.append(value) }
    #expect(probed.map(\.probe.size) == [size], "\(name)")
    #expect(probed.map(\.probe.format) == [encoder.format])
    #expect(probed[0].byteCount <= head.count)
    // The client went away while the rest was held back.
    try await server.wait { $0.abandoned("/a") == 1 }
  }

  @Test func `what is no picture is an error by name, cut or whole`() async throws {
    let server = try FaultServer()
    server.serve("/page", Array("<!DOCTYPE html><html></html>".utf8))
    server.serve("/cut.png", Array(PipelineFixture.png.prefix(20)))
    server.serve("/text", Array(repeating: UInt8(7), count: 2_000))
    let downloader = Downloader()
    func outcome(_ path: String) async -> DecodeError? {
      let load = Load(server.url(path)).download(with: downloader).probe()
      do {
        for try await _ in load.values { return nil }
      } catch {
        if case .decode(let error, source: _) = error { return error }
      }
      return nil
    }
    #expect(await outcome("/page") == .unsupportedFormat(name: "HTML"))
    #expect(await outcome("/cut.png") == .unknownFormat)
    #expect(await outcome("/text") == .unknownFormat)
  }
}
