import Foundation
import Pipeline
import TestSupport
import Testing

struct CacheProcessTests {
  private static let png: [UInt8] = {
    let bitmap = Bitmap(size: PixelSize(width: 40, height: 30), color: .clear)
    guard let bytes = try? PNGEncoder().encode(bitmap) else { return [] }
    return bytes.prefix(bytes.count)
  }()

  @Test func `the cache that loads fill can be looked at, checked, trimmed and cleared`()
    async throws
  {
    let scratch = try ScratchFolder()
    let server = try FaultServer()
    let urls = ["/a.png", "/b.png", "/c.png"].map { server.url($0).absoluteString }
    for path in ["/a.png", "/b.png", "/c.png"] { server.serve(path, Self.png, type: "image/png") }
    func run(_ arguments: String...) async throws -> DemoProcess {
      try await DemoProcess(arguments, cacheHome: scratch.path)
    }
    for url in urls { #expect(try await run("load", url).code == 0) }
    let folder = scratch.path + "/flow-demo"
    #expect(try await run("cache", "path").output == folder + "\n")
    #expect(try await run("cache").output.hasPrefix("\(folder): 3 files, "))
    let list = try await run("cache", "list").output
    #expect(urls.allSatisfy { list.contains($0) } && list.contains("image/png"))
    #expect(try await run("cache", "verify").output == "3 files whole, 0 damaged removed\n")

    let path = try await run("cache", "path", urls[0]).output.dropLast()
    let file = URL(fileURLWithPath: String(path))
    let before = try Data(contentsOf: file)
    try Data(before.dropLast()).write(to: file)
    #expect(try await run("cache", "list").output.contains("damaged: \(path)"))
    let verified = try await run("cache", "verify")
    #expect(verified.code == 1 && verified.output == "2 files whole, 1 damaged removed\n")

    let trimmed = try await run("cache", "trim", "--size", "\(before.count)")
    #expect(trimmed.output.hasPrefix("1 removed, left: 1 file, "))
    #expect(try await run("cache", "clear").output.hasPrefix("removed: 1 file, "))
    #expect(try await run("cache", "list").output.isEmpty)
    #expect(try await run("cache").output == "\(folder): 0 files, 0 B\n")
  }

  @Test func `a folder that can not be used is a sentence and exit code 1`() async throws {
    let scratch = try ScratchFolder()
    let file = scratch.path + "/file"
    try Data([1]).write(to: URL(fileURLWithPath: file))
    let run = try await DemoProcess(["cache", "--cache", file], cacheHome: scratch.path)
    #expect(run.code == 1 && run.errors.hasPrefix("demo: the cache folder \(file) can not be used"))
  }

  @Test func `a folder that is no cache is left as it is`() async throws {
    let scratch = try ScratchFolder()
    let kept = scratch.path + "/temporary/letter.txt"
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/temporary", withIntermediateDirectories: true)
    try Data([1]).write(to: URL(fileURLWithPath: kept))
    for action in ["stats", "list", "verify", "trim", "clear"] {
      let run = try await DemoProcess(
        ["cache", action, "--cache", scratch.path], cacheHome: scratch.path)
      #expect(run.code == 1 && run.errors == "demo: \(scratch.path) holds no cache\n")
    }
    #expect(FileManager.default.fileExists(atPath: kept))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["temporary"])
  }
}
