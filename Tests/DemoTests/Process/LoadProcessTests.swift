import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Demo

struct LoadProcessTests {
  private static func png(_ width: Int, _ height: Int) throws -> [UInt8] {
    let bytes = try PNGEncoder().encode(
      Bitmap(
        size: PixelSize(width: width, height: height),
        color: Pixel(red: 10, green: 120, blue: 230)))
    return bytes.prefix(bytes.count)
  }

  private static func reports(_ run: DemoProcess) throws -> [ReportJSON] {
    try JSONDecoder().decode([ReportJSON].self, from: Data(run.output.utf8))
  }

  @Test func `pictures from the web, a file and a data url are loaded and written`() async throws {
    let scratch = try ScratchFolder()
    let server = try FaultServer()
    let bytes = try Self.png(40, 30)
    server.serve("/web.png", bytes, type: "image/png")
    let file = scratch.path + "/file.png"
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    let data = "data:image/png;base64,\(Data(bytes).base64EncodedString())"
    let run = try await DemoProcess(
      [
        "load", "--json", "-o", scratch.path + "/out", "--resize", "20x20",
        server.url("/web.png").absoluteString, file, data,
      ], cacheHome: scratch.path + "/cache")
    #expect(run.code == 0, "\(run.errors)")
    let reports = try Self.reports(run)
    #expect(reports.map(\.origin) == ["network", "local", "local"])
    #expect(reports.allSatisfy { $0.width == 20 && $0.height == 15 && $0.format == "PNG" })
    #expect(
      reports.map(\.output) == ["web", "file", "data"].map { "\(scratch.path)/out/\($0).png" })
    for path in reports.compactMap(\.output) {
      let written = try #require(FileManager.default.contents(atPath: path))
      let image = try DecoderRegistry.standard.decode(ImageBytes(written))
      #expect(image.bitmap[7, 7] == Pixel(red: 10, green: 120, blue: 230))
    }
  }

  @Test func `each thing that goes wrong has its sentence and the others go on`() async throws {
    let scratch = try ScratchFolder()
    let server = try FaultServer()
    let bytes = try Self.png(40, 30)
    server.serve("/good.png", bytes)
    server.serve("/500", [], status: 500)
    server.serve("/empty", [])
    server.serve("/page", Array("<!DOCTYPE html><html></html>".utf8), type: "text/html")
    server.serve("/cut.png", Array(bytes.dropLast(30)))
    server.serve("/bomb.png", Self.bomb)
    let closed = try FaultServer()
    closed.stop()
    let cases: [(String, String)] = [
      ("http://no-such-host.invalid/a", "the host no-such-host.invalid was not found"),
      (server.url("/404").absoluteString, "the server answered with status 404"),
      (server.url("/500").absoluteString, "the server answered with status 500"),
      (server.url("/empty").absoluteString, "the answer has no bytes"),
      (server.url("/page").absoluteString, "HTML is not a format that can be decoded here"),
      (server.url("/cut.png").absoluteString, "the PNG data ends before the picture does"),
      (server.url("/bomb.png").absoluteString, "60000×60000"),
      (scratch.path + "/nothing.png", "the file is not there"),
      ("gopher://host/a", "no transfer is known for the scheme \"gopher\""),
      (closed.url("/a").absoluteString, "no connection"),
      (server.url("/good.png").absoluteString, ""),
    ]
    let run = try await DemoProcess(
      ["load", "--json", "-o", scratch.path + "/out"] + cases.map(\.0),
      cacheHome: scratch.path + "/cache")
    #expect(run.code == 1)
    let reports = try Self.reports(run)
    #expect(reports.map(\.source) == cases.map(\.0))
    for (report, expected) in zip(reports.dropLast(), cases) {
      #expect(report.status == "failed", "\(expected.0)")
      #expect(report.error?.contains(expected.1) == true, "\(report.error ?? "no error")")
    }
    #expect(reports.last?.status == "loaded")
    #expect(run.errors.split(separator: "\n").count == cases.count - 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/out") == ["good.png"])
  }

  @Test func `the table stands on the output without a terminal's signs`() async throws {
    let scratch = try ScratchFolder()
    let file = scratch.path + "/a.png"
    try Data(try Self.png(4, 3)).write(to: URL(fileURLWithPath: file))
    let run = try await DemoProcess(["load", file], cacheHome: scratch.path + "/cache")
    #expect(run.code == 0)
    #expect(run.output.contains("\(file): PNG 4×3"))
    #expect(run.output.contains("SOURCE"))
    #expect(!run.output.contains("\u{1B}"))
    #expect(try scratch.names == ["a.png", "cache"])
  }

  /// The header of a picture of 60000 by 60000 pixels.
  private static let bomb: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    + Array("IHDR".utf8) + [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 6, 0, 0, 0]
    + [0x80, 0xD2, 0x75, 0x42]
}
