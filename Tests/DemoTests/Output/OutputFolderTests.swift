import Foundation
import Testing

@testable import Demo

struct OutputFolderTests {
  @Test func `the folder is made with those above it`() throws {
    let scratch = try ScratchFolder()
    let folder = try OutputFolder(scratch.path + "/a/b")
    #expect(try folder.write([1, 2, 3], named: "x.png") == scratch.path + "/a/b/x.png")
    #expect(FileManager.default.contents(atPath: scratch.path + "/a/b/x.png") == Data([1, 2, 3]))
  }

  @Test func `a file takes the place of an older one and leaves nothing beside it`() throws {
    let scratch = try ScratchFolder()
    let folder = try OutputFolder(scratch.path)
    try folder.write(Array(repeating: 7, count: 100_000), named: "x")
    try folder.write([1], named: "x")
    #expect(try scratch.names == ["x"])
    #expect(FileManager.default.contents(atPath: scratch.path + "/x") == Data([1]))
  }

  @Test func `a file in the way of the folder is named`() throws {
    let scratch = try ScratchFolder()
    try OutputFolder(scratch.path).write([1], named: "file")
    for path in [scratch.path + "/file", scratch.path + "/file/below"] {
      #expect(throws: OutputError.unusableFolder(path: path, reason: "not a directory")) {
        try OutputFolder(path)
      }
    }
  }

  @Test func `a folder in the way of the file leaves nothing half-written`() throws {
    let scratch = try ScratchFolder()
    let folder = try OutputFolder(scratch.path)
    _ = try OutputFolder(scratch.path + "/x.png/full")
    #expect(
      throws: OutputError.notWritten(path: scratch.path + "/x.png", reason: "is a directory")
    ) {
      try folder.write([1], named: "x.png")
    }
    #expect(try scratch.names == ["x.png"])
  }
}

/// A folder of its own for a test, removed with it.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("flow-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// What is in it, hidden files too.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
