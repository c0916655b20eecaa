import Flow
import Foundation
import TestSupport
import Testing

@testable import Pipeline

/// Addresses that make no sense, by the letter: what each comes to.
@Suite(.timeLimit(.minutes(1))) struct MalformedAddressTests {
  let downloader = Downloader()

  @Test(arguments: ["", "http://[::1", "http://host:port/a"])
  func `B43: what is no URL at all never becomes a request`(text: String) {
    #expect(URL(string: text) == nil)
  }

  @Test(arguments: [
    (" ", DownloadError.invalidURL(reason: "it has no scheme")),
    ("just/a/path.png", .invalidURL(reason: "it has no scheme")),
    ("//host/a.png", .invalidURL(reason: "it has no scheme")),
    ("http:", .invalidURL(reason: "it names no host")),
    ("http:///a.png", .invalidURL(reason: "it names no host")),
    ("https://?q", .invalidURL(reason: "it names no host")),
    ("HTTP://no-such-host.invalid/", .hostNotFound("no-such-host.invalid")),
    ("http://no-such-host.invalid/%2520%zz", .hostNotFound("no-such-host.invalid")),
    ("http://b\u{FC}cher.invalid/\u{E9}t\u{E9}.png", .hostNotFound("xn--bcher-kva.invalid")),
    ("gopher://host/a", .unsupportedScheme("gopher")),
    ("javascript:alert(1)", .unsupportedScheme("javascript")),
    ("about:blank", .unsupportedScheme("about")),
    ("file:///", .notAFile),
    ("file:///no/such/file.png", .fileNotFound),
    ("file:///dev/zero", .notAFile),
    ("data:image/png;base64", .invalidURL(reason: "a data URL has a comma before its bytes")),
    ("data:image/png;base64,aGVsb", .invalidURL(reason: "its base64 is cut short")),
    ("data:image/png;base64,a*Vs", .invalidURL(reason: "its base64 is damaged")),
    ("data:,", .emptyBody),
  ])
  func `each has its error`(text: String, error: DownloadError) async throws {
    let url = try #require(URL(string: text))
    let transfer = await downloader.outcome(url)
    #expect(transfer.failure == error)
    #expect(transfer.image == nil)
  }

  @Test(arguments: ["/%25%32%35", "/a//b/../c", "/?", "/?a=b&&=#fragment", "/;x,y=1"])
  func `odd paths are sent as they stand, without their fragment`(path: String) async throws {
    let server = try FaultServer()
    await downloader.outcome(server.url(path))
    let sent = try #require(server.counts.requests.first?.target)
    #expect(sent == (path == "/a//b/../c" ? "/a//c" : String(path.prefix { $0 != "#" })))
  }

  @Test func `a registered scheme is known in any case, and its errors are its own`() async throws {
    var configuration = DownloaderConfiguration()
    configuration.schemes["asset"] = FailingDownloader()
    let downloader = Downloader(configuration: configuration)
    let url = try #require(URL(string: "ASSET://icons/a"))
    #expect(await downloader.outcome(url).failure == .fileNotFound)
  }
}

private struct FailingDownloader: ImageDownloader {
  func transfer(for request: ImageRequest) -> AnyPublisher<TransferEvent, DownloadError> {
    Fail(error: .fileNotFound).eraseToAnyPublisher()
  }
}
