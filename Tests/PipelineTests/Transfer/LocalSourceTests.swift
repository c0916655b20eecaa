import Foundation
import TestSupport
import Testing

@testable import Pipeline

/// Files, data URLs, and addresses that lead nowhere.
struct LocalSourceTests {
  let downloader = Downloader()
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "flow-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func remove() { try? FileManager.default.removeItem(at: folder) }

  @Test(arguments: ["a.png", "ein bild.png", "größe 絵.png", "100%.png", "a#b?c.png"])
  func `a file is read whole, whatever its name`(name: String) async throws {
    defer { remove() }
    let file = folder.appending(path: name)
    let bytes = pattern(70_000)
    try Data(bytes).write(to: file)
    let transfer = await downloader.outcome(file)
    #expect(transfer.body == bytes)
    #expect(transfer.image?.origin == .local)
    #expect(transfer.progress.last == LoadProgress(received: 70_000, expected: 70_000))
  }

  @Test func `files that are not there, folders, empty and too large ones`() async throws {
    defer { remove() }
    let missing = folder.appending(path: "missing.png")
    #expect(await downloader.outcome(missing).failure == .fileNotFound)
    #expect(await downloader.outcome(missing.appending(path: "below")).failure == .fileNotFound)
    #expect(await downloader.outcome(folder).failure == .notAFile)
    let file = folder.appending(path: "a")
    try Data().write(to: file)
    #expect(await downloader.outcome(file).failure == .emptyBody)
    try Data(pattern(100)).write(to: file)
    var options = TransferOptions()
    options.maximumBodySize = 99
    #expect(await downloader.outcome(file, options).failure == .tooLarge(limit: 99))
  }

  @Test func `a pipe is refused instead of waited for`() async throws {
    defer { remove() }
    let pipe = folder.appending(path: "pipe")
    #expect(mkfifo(pipe.path(percentEncoded: false), 0o600) == 0)
    #expect(await downloader.outcome(pipe).failure == .notAFile)
  }

  @Test func `a file whose size the system does not know`() async throws {
    let status = URL(fileURLWithPath: "/proc/self/status")
    guard FileManager.default.fileExists(atPath: status.path()) else { return }
    #expect(await downloader.outcome(status).body?.isEmpty == false)
  }

  @Test(arguments: [
    ("data:,hello", "hello"),
    ("data:,a%20b%2Bc", "a b+c"),
    ("data:text/plain;charset=utf-8,%C3%A9", "é"),
    ("data:image/png;base64,aGVsbG8=", "hello"),
    ("data:image/png;base64,aGVsbG8", "hello"),
    ("data:image/png;BASE64,aGVs%0AbG8%3D", "hello"),
    ("data:;base64,Pz8_", "???"),
  ])
  func `data URLs`(text: String, body: String) async throws {
    let url = try #require(URL(string: text))
    #expect(await downloader.outcome(url).body == Array(body.utf8))
  }

  @Test(arguments: [
    "data:image/png;base64", "data:image/png;base64,aGVsb", "data:image/png;base64,aGVs*",
    "data:image/png;base64,a=Vs", "data:,a%2",
  ])
  func `data URLs cut short or damaged`(text: String) throws {
    #expect(throws: DownloadError.self) { try DataURL.bytes(of: text, limit: 1000) }
  }

  @Test func `R055: letters, blanks and escapes are sent encoded once`() async throws {
    let server = try FaultServer()
    let texts = ["/é bild.png", "/%C3%A9%20bild.png", "/a%2520b"]
    for text in texts {
      let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(text)"))
      await downloader.outcome(url)
    }
    let targets = server.counts.requests.map(\.target)
    #expect(targets == ["/%C3%A9%20bild.png", "/%C3%A9%20bild.png", "/a%2520b"])
  }

  @Test func `a URL of a hundred thousand letters is the server's to refuse`() async throws {
    let server = try FaultServer()
    let url = server.url("/" + String(repeating: "a", count: 100_000))
    #expect(await downloader.outcome(url).failure == .refused(status: 404, retryAfter: nil))
  }
}
